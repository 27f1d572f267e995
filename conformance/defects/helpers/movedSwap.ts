import type { ServiceSeams } from '../../../src/service/testing.ts'
import { changeConfirm } from './rules.ts'

/**
 * Returns a confirm that responds with 202 to a repeated report once the recorded swap is in another block than it was recorded in:
 * to the first repeat in the new block, or to every one.
 */
export function pendingOnceMoved(how: 'once' | 'for-ever'): ServiceSeams {
  return changeConfirm((confirm, { chain, policy }) => {
    const recordedIn = new Map<string, string>()
    return async (request, caller) => {
      const outcome = await confirm(request, caller)
      if (!('recorded' in outcome)) return outcome
      const [reply] = await chain.send([{ method: 'eth_getTransactionReceipt', params: [request.txHash] }], {
        timeoutMs: policy.rpcTimeoutMs,
      })
      const receipt = (reply?.ok ? reply.result : null) as { readonly blockHash: string } | null
      if (receipt === null) return outcome
      const pair = `${request.buildId} ${request.txHash}`.toLowerCase()
      const before = recordedIn.get(pair) ?? receipt.blockHash
      recordedIn.set(pair, how === 'once' ? receipt.blockHash : before)
      return before === receipt.blockHash
        ? outcome
        : { pending: { reason: 'block-changed', confirmations: 0, retryAfterS: 5 } }
    }
  })
}
