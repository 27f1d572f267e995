import { type AppliedSwap, type Direction, type ModelQuote, quoteOf, UnpricedSwapError } from './result.ts'
import { computeSwapStepV4 } from './swapStep.ts'
import { swapThroughTicks, type TickPool } from './tickRange.ts'

/** v4-core counts both sides of a swap in int128. */
const AMOUNT_MAX = 2n ** 127n - 1n

/**
 * One pool of the Uniswap V4 singleton, without hooks, protocol fee off. It prices as a V3 pool of the same ticks does;
 * what differs is how a step splits its input into fee and rest (see computeSwapStepV4) and the range of the amounts.
 */
export type SingletonState = TickPool

/** The pool's output for the whole of `amountIn`; unpriced when it would take only part of it. */
export function quoteExactIn(state: SingletonState, direction: Direction, amountIn: bigint): ModelQuote {
  return quoteOf(() => applySwap(state, direction, amountIn).amountOut)
}

/**
 * The pool after a swap of exactly `amountIn`.
 *
 * @throws {UnpricedSwapError} the amount is zero, leaves int128, or is more than the pool can take.
 */
export function applySwap(
  state: SingletonState,
  direction: Direction,
  amountIn: bigint,
): AppliedSwap<SingletonState> {
  if (amountIn === 0n) throw new UnpricedSwapError('zero-amount', amountIn)
  if (amountIn > AMOUNT_MAX) throw new UnpricedSwapError('overflow', amountIn)
  const swap = swapThroughTicks(state, direction, amountIn, computeSwapStepV4)
  if (swap.amountIn !== amountIn) throw new UnpricedSwapError('not-enough-liquidity', amountIn)
  if (swap.amountOut > AMOUNT_MAX) throw new UnpricedSwapError('overflow', amountIn)
  return { amountOut: swap.amountOut, state: swap.pool }
}
