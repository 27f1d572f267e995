import type { Direction, ModelQuote } from './result.ts'
import { computeSwapStepV3 } from './swapStep.ts'
import { swapThroughTicks, type TickPool } from './tickRange.ts'

/** The amounts of v3-core are int256. */
const AMOUNT_MAX = 2n ** 255n - 1n

/** One Uniswap V3 pool, protocol fee off. */
export type ConcentratedState = TickPool

/**
 * Returns the pool's output for the whole of `amountIn`; unpriced when it runs dry first. The venue detects a dry pool by its
 * price at the end of the range, and so also refuses the one amount that ends exactly there.
 */
export function quoteExactIn(state: ConcentratedState, direction: Direction, amountIn: bigint): ModelQuote {
  if (amountIn === 0n) return { unpriced: 'zero-amount' }
  if (amountIn > AMOUNT_MAX) return { unpriced: 'overflow' }
  const { isDry, amountOut } = swapThroughTicks(state, direction, amountIn, computeSwapStepV3)
  return isDry ? { unpriced: 'not-enough-liquidity' } : { amountOut }
}
