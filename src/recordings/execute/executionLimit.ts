import { LEAST_GAS } from '../../evm/machine.ts'
import { membersOf } from '../../spec/json.ts'
import { resolveBlob } from '../format/blobs.ts'
import type { Drafts } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { isHonest } from '../play/compareReplies.ts'

/**
 * The most gas that is executed for one recording, counted by `GasMeter`: a few minutes. The recordings of `reports/golden` take
 * 5 to 20 million, the longest of 30 random histories 120 million, and the longest of the 556 cases of a complete run against a
 * service from outside (37 MB together) 171 million.
 */
export const EXECUTION_LIMIT_GAS = 2_000_000_000

/**
 * Returns the least gas that the execution of a recording takes, for its blocks and the calls of its service, without executing
 * it.
 */
export function leastGasOf(entries: Drafts, blobs: Recording['blobs']): number {
  let gas = 0
  for (const entry of entries) {
    if (entry.kind === 'block') gas += Math.max(entry.header.gasUsed, LEAST_GAS * entry.transactions.length)
    if (entry.kind !== 'rpc' || entry.replies === null || !isHonest(entry)) continue
    for (const { method, params } of entry.calls)
      gas += LEAST_GAS * callsIn(method, resolveBlob(blobs, params))
  }
  return gas
}

/** Returns the number of executions in a call of the service. */
function callsIn(method: string, params: unknown): number {
  if (method === 'eth_call') return 1
  if (method !== 'eth_simulateV1' || !Array.isArray(params)) return 0
  const { blockStateCalls } = membersOf(params[0])
  const { calls } = membersOf(Array.isArray(blockStateCalls) ? blockStateCalls[0] : null)
  return Array.isArray(calls) ? calls.length : 0
}
