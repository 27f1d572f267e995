import type { Direction, ModelQuote } from './result.ts'
import { computeSwapStepV4 } from './swapStep.ts'
import { swapThroughTicks, type TickPool } from './tickRange.ts'

/** v4-core counts both sides of a swap in int128. */
const AMOUNT_MAX = 2n ** 127n - 1n

/**
 * One pool of the Uniswap V4 singleton, without hooks, protocol fee off. It prices like a V3 pool with the same ticks, except
 * for the split of a step's input into fee and rest (see computeSwapStepV4) and the range of the amounts.
 */
export type SingletonState = TickPool

/** Returns the pool's output for the whole of `amountIn`; unpriced when it would take only part of it. */
export function quoteExactIn(state: SingletonState, direction: Direction, amountIn: bigint): ModelQuote {
  if (amountIn === 0n) return { unpriced: 'zero-amount' }
  if (amountIn > AMOUNT_MAX) return { unpriced: 'overflow' }
  const { amountIn: taken, amountOut } = swapThroughTicks(state, direction, amountIn, computeSwapStepV4)
  if (taken !== amountIn) return { unpriced: 'not-enough-liquidity' }
  return amountOut > AMOUNT_MAX ? { unpriced: 'overflow' } : { amountOut }
}
