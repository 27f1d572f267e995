import type { ServiceSeams } from '../../../src/service/testing.ts'
import { blockHashOf } from './ports.ts'
import { changeConfirm } from './rules.ts'

/**
 * Returns a confirm that responds with 202 to a repeated report once the recorded swap is in another block than it was recorded in:
 * to the first repeat in the new block, or to every one.
 */
export function pendingOnceMoved(how: 'once' | 'for-ever'): ServiceSeams {
  return changeConfirm((confirm, deps) => {
    const recordedIn = new Map<string, string>()
    return async (request, caller) => {
      const outcome = await confirm(request, caller)
      if (!('recorded' in outcome)) return outcome
      const blockHash = await blockHashOf(deps, request.txHash)
      if (blockHash === null) return outcome
      const pair = `${request.buildId} ${request.txHash}`.toLowerCase()
      const before = recordedIn.get(pair) ?? blockHash
      recordedIn.set(pair, how === 'once' ? blockHash : before)
      return before === blockHash
        ? outcome
        : { pending: { reason: 'block-changed', confirmations: 0, retryAfterS: 5 } }
    }
  })
}
