export const MIN_TICK = -887272
export const MAX_TICK = 887272
/** sqrt(1.0001^MIN_TICK) as Q64.96. */
export const MIN_SQRT_RATIO = 4295128739n
/** sqrt(1.0001^MAX_TICK) as Q64.96. */
export const MAX_SQRT_RATIO = 1461446703485210103287273052203988822378723970342n

/** sqrt(1.0001^-(2^i)) as Q128.128, for i from 0 to 19: the constants that v3-core and v4-core share. */
const RATIO_OF_BIT = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
] as const

const ONE_Q128 = 1n << 128n
const MAX_UINT256 = (1n << 256n) - 1n
const LOW_32_BITS = (1n << 32n) - 1n

/**
 * Returns the Q64.96 square root of the price at `tick`, rounded up as in the pools.
 *
 * @throws {RangeError} `tick` is not an integer from MIN_TICK to MAX_TICK.
 */
export function getSqrtRatioAtTick(tick: number): bigint {
  const magnitude = Math.abs(tick)
  if (!Number.isInteger(tick) || magnitude > MAX_TICK) throw outOfRange('tick', tick)
  let ratio = ONE_Q128
  RATIO_OF_BIT.forEach((factor, bit) => {
    if ((magnitude >> bit) & 1) ratio = (ratio * factor) >> 128n
  })
  if (tick > 0) ratio = MAX_UINT256 / ratio
  return (ratio + LOW_32_BITS) >> 32n
}

/**
 * Returns the greatest tick whose price does not exceed `sqrtPriceX96`, found by bisection: the contracts approximate a
 * logarithm instead, so the two can only agree when both are right.
 *
 * @throws {RangeError} the price is below MIN_SQRT_RATIO, or not below MAX_SQRT_RATIO.
 */
export function getTickAtSqrtRatio(sqrtPriceX96: bigint): number {
  if (sqrtPriceX96 < MIN_SQRT_RATIO || sqrtPriceX96 >= MAX_SQRT_RATIO) {
    throw outOfRange('sqrtPriceX96', sqrtPriceX96)
  }
  let low = MIN_TICK
  let high = MAX_TICK
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (getSqrtRatioAtTick(middle) <= sqrtPriceX96) low = middle
    else high = middle
  }
  return low
}

function outOfRange(what: string, value: number | bigint): RangeError {
  return new RangeError(`${what} ${value} lies outside the range of the pools`)
}
