import type { Direction } from './result.ts'
import { computeSwapStepV3, type SwapStep } from './swapStep.ts'
import {
  getSqrtRatioAtTick,
  getTickAtSqrtRatio,
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
} from './tickMath.ts'

/** A tick where positions begin or end; `liquidityNet` is added to the liquidity when it is crossed upwards. */
interface InitializedTick {
  readonly tick: number
  readonly liquidityNet: bigint
}

/** The state of a pool of concentrated liquidity, v3 or v4, that determines a swap. `ticks` ascend. */
export interface TickPool {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  /** Hundredths of a basis point. */
  readonly feePips: number
  readonly tickSpacing: number
  readonly ticks: readonly InitializedTick[]
}

export interface TickSwap {
  /** Input that the pool took, fee included; less than the offered amount if the pool ran out of range. */
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** True if the price ended at the end of the range, where the pool has nothing left to pay. */
  readonly isDry: boolean
  readonly pool: TickPool
}

/** Prices of the ticks at the ends of bitmap words: a swap through a whole range passes up to seven thousand. */
const stopPrices = new Map<number, bigint>()

function priceOfStop(tick: number): bigint {
  const known = stopPrices.get(tick)
  if (known !== undefined) return known
  const sqrtPriceX96 = getSqrtRatioAtTick(tick)
  stopPrices.set(tick, sqrtPriceX96)
  return sqrtPriceX96
}

/** Returns the index of the first initialized tick above `tick`, or the length if there is none. */
function firstAbove(ticks: readonly InitializedTick[], tick: number): number {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >> 1
    const at = ticks[middle]
    if (at !== undefined && at.tick > tick) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Returns the next tick at which a swap stops: the nearest initialized one, or the end of the 256-tick word of the bitmap. The
 * stop at an empty word's end changes only the rounding, which is why it must be modelled.
 */
function nextStop(
  pool: TickPool,
  tick: number,
  zeroForOne: boolean,
): { tick: number; crossed?: InitializedTick } {
  const { ticks, tickSpacing } = pool
  const compressed = Math.floor(tick / tickSpacing)
  const above = firstAbove(ticks, tick)
  if (zeroForOne) {
    const wordStart = (compressed >> 8) * 256 * tickSpacing
    const candidate = ticks[above - 1]
    if (candidate !== undefined && candidate.tick >= wordStart)
      return { tick: candidate.tick, crossed: candidate }
    return { tick: Math.max(wordStart, MIN_TICK) }
  }
  const wordEnd = (((compressed + 1) >> 8) * 256 + 255) * tickSpacing
  const candidate = ticks[above]
  if (candidate !== undefined && candidate.tick <= wordEnd)
    return { tick: candidate.tick, crossed: candidate }
  return { tick: Math.min(wordEnd, MAX_TICK) }
}

/**
 * Runs the swap loop of `UniswapV3Pool.swap` and v4's `Pool.swap` for an exact input: steps through the initialized ticks until
 * the input is used up or the price reaches the end of the range. There is no protocol fee.
 */
export function swapThroughTicks(
  pool: TickPool,
  direction: Direction,
  amountOffered: bigint,
  computeStep: SwapStep = computeSwapStepV3,
): TickSwap {
  const zeroForOne = direction === 'zeroForOne'
  const limitX96 = zeroForOne ? MIN_SQRT_RATIO + 1n : MAX_SQRT_RATIO - 1n
  const feePips = BigInt(pool.feePips)
  let { sqrtPriceX96, tick, liquidity } = pool
  let remaining = amountOffered
  let amountOut = 0n
  while (remaining !== 0n && sqrtPriceX96 !== limitX96) {
    const stop = nextStop(pool, tick, zeroForOne)
    const sqrtStopX96 = priceOfStop(stop.tick)
    const beyondLimit = zeroForOne ? sqrtStopX96 < limitX96 : sqrtStopX96 > limitX96
    const sqrtTargetX96 = beyondLimit ? limitX96 : sqrtStopX96
    const step = computeStep({ sqrtPriceX96, sqrtTargetX96, liquidity, amountRemaining: remaining, feePips })
    remaining -= step.amountIn + step.feeAmount
    amountOut += step.amountOut
    if (step.sqrtNextX96 === sqrtStopX96) {
      if (stop.crossed !== undefined) {
        liquidity += zeroForOne ? -stop.crossed.liquidityNet : stop.crossed.liquidityNet
      }
      tick = zeroForOne ? stop.tick - 1 : stop.tick
    } else if (step.sqrtNextX96 !== sqrtPriceX96) {
      tick = getTickAtSqrtRatio(step.sqrtNextX96)
    }
    sqrtPriceX96 = step.sqrtNextX96
  }
  return {
    amountIn: amountOffered - remaining,
    amountOut,
    isDry: sqrtPriceX96 === limitX96,
    pool: { ...pool, sqrtPriceX96, tick, liquidity },
  }
}
