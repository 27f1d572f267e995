import { type AppliedSwap, type Direction, type ModelQuote, quoteOf, UnpricedSwapError } from './result.ts'
import { computeSwapStepV3 } from './swapStep.ts'
import { swapThroughTicks, type TickPool } from './tickRange.ts'

/** The amounts of v3-core are int256. */
const AMOUNT_MAX = 2n ** 255n - 1n

/** One Uniswap V3 pool, protocol fee off. */
export type ConcentratedState = TickPool

/**
 * The pool's output for the whole of `amountIn`; unpriced when it runs dry first. The venue detects a dry pool by its
 * price at the end of the range, and so also refuses the one amount that ends exactly there.
 */
export function quoteExactIn(state: ConcentratedState, direction: Direction, amountIn: bigint): ModelQuote {
  return quoteOf(() => applySwap(state, direction, amountIn).amountOut)
}

/**
 * The pool after a swap of exactly `amountIn`.
 *
 * @throws {UnpricedSwapError} the amount is zero, leaves int256, or is more than the pool can take.
 */
export function applySwap(
  state: ConcentratedState,
  direction: Direction,
  amountIn: bigint,
): AppliedSwap<ConcentratedState> {
  if (amountIn === 0n) throw new UnpricedSwapError('zero-amount', amountIn)
  if (amountIn > AMOUNT_MAX) throw new UnpricedSwapError('overflow', amountIn)
  const swap = swapThroughTicks(state, direction, amountIn, computeSwapStepV3)
  if (swap.isDry) throw new UnpricedSwapError('not-enough-liquidity', amountIn)
  return { amountOut: swap.amountOut, state: swap.pool }
}
