import { type AppliedSwap, type Direction, type ModelQuote, UnpricedSwapError } from './result.ts'
import { computeSwapStepV3 } from './swapStep.ts'
import { swapThroughTicks, type TickPool } from './tickRange.ts'

/** The amounts of v3-core are int256. */
const AMOUNT_MAX = 2n ** 255n - 1n

/** One Uniswap V3 pool, protocol fee off. */
export type ConcentratedState = TickPool

/** What the V3 pool pays for the whole of `amountIn`; unpriced when it would take only a part of it. */
export function quoteExactIn(state: ConcentratedState, direction: Direction, amountIn: bigint): ModelQuote {
  const swap = trySwap(state, direction, amountIn)
  return 'unpriced' in swap ? swap : { amountOut: swap.amountOut }
}

/**
 * The V3 pool after a swap of exactly `amountIn`.
 *
 * @throws {UnpricedSwapError} quoteExactIn has no price for it.
 */
export function applySwap(
  state: ConcentratedState,
  direction: Direction,
  amountIn: bigint,
): AppliedSwap<ConcentratedState> {
  const swap = trySwap(state, direction, amountIn)
  if ('unpriced' in swap) throw new UnpricedSwapError(swap.unpriced, amountIn)
  return { amountOut: swap.amountOut, state: swap.pool }
}

function trySwap(state: ConcentratedState, direction: Direction, amountIn: bigint) {
  if (amountIn === 0n) return { unpriced: 'zero-amount' } as const
  if (amountIn > AMOUNT_MAX) return { unpriced: 'overflow' } as const
  const swap = swapThroughTicks(state, direction, amountIn, computeSwapStepV3)
  return swap.amountIn === amountIn ? swap : ({ unpriced: 'not-enough-liquidity' } as const)
}
