import { LEAST_GAS } from '../../evm/machine.ts'
import { membersOf } from '../../spec/json.ts'
import { resolveBlob } from '../format/blobs.ts'
import type { Drafts } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { isHonest } from '../play/compareReplies.ts'

/**
 * So much is executed for one recording, by `GasMeter`: some minutes, whatever the file asks for. The recordings of
 * `reports/golden` take 5 to 20 million; of 30 random histories the longest 120 million; of the 556 cases of a complete run
 * against a service from outside, 37 MB together, the longest 171 million.
 */
export const EXECUTION_LIMIT_GAS = 2_000_000_000

/**
 * What the execution of a recording takes at least, by what the file itself says, in gas: its blocks, and every call that
 * its service made.
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

/** Returns how many executions a call of the service is. */
function callsIn(method: string, params: unknown): number {
  if (method === 'eth_call') return 1
  if (method !== 'eth_simulateV1' || !Array.isArray(params)) return 0
  const { blockStateCalls } = membersOf(params[0])
  const { calls } = membersOf(Array.isArray(blockStateCalls) ? blockStateCalls[0] : null)
  return Array.isArray(calls) ? calls.length : 0
}
