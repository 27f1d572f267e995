import { minimumRawOf } from '../amounts/bps.ts'
import type { Budget } from '../chain/deadline.ts'
import type { ServiceDeps } from '../deps.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { Address } from '../requests.ts'
import { lower, NATIVE } from '../tokens/token.ts'
import { simulateSettlement } from '../venues/simulateSettlement.ts'
import type { Order } from '../venues/venue.ts'
import type { Priced } from './price.ts'
import type { Candidate } from './ranking.ts'

/** Returns the order that a candidate would settle, with the minimum output derived from its quote. */
export function orderOf(priced: Priced, amountOutRaw: bigint, sender: Address): Order {
  const { request, tokenIn, tokenOut, amountInRaw, feeRaw } = priced
  return {
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    amountInRaw,
    feeRaw,
    feeRecipient: request.partnerFeeRecipient && lower(request.partnerFeeRecipient),
    minimumRaw: minimumRawOf(amountOutRaw, request.slippageBps),
    sender: lower(sender),
  }
}

/**
 * Drops candidates from the top whose settlement would revert, until one would not (§4.1 `sender`). This works for native input
 * only: the sender may not yet hold an ERC-20 or have approved it. The simulation gives the sender the input, because a quote
 * ignores the sender's balance. When the chain stops responding, no candidate is dropped.
 */
export async function dropReverting(
  deps: ServiceDeps,
  priced: Priced,
  budget: Budget,
): Promise<readonly Candidate[]> {
  const { sender } = priced.request
  if (sender === null || priced.tokenIn.address !== NATIVE) return priced.ranked
  const pretend = { holder: lower(sender), raw: priced.amountInRaw }
  for (const [index, { venue, way, amountOutRaw }] of priced.ranked.entries()) {
    const order = orderOf(priced, amountOutRaw, sender)
    try {
      const timeoutMs = budget.atMost(deps.policy.rpcTimeoutMs)
      const outcome = await simulateSettlement(deps, order, venue.settle(way, order), pretend, timeoutMs)
      if (outcome.delivered) return priced.ranked.slice(index)
      deps.log.info('quote.dropped', { venue: venue.id, reason: outcome.reason })
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error
      deps.log.warn('quote.not-simulated', { venue: venue.id, problem: error.message })
      return priced.ranked.slice(index)
    }
  }
  return []
}
