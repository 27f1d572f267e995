/** The whole of a price: a shift of this much doubles it. Fine enough that single base units of any token can be hit. */
export const SHIFT_ONE = 10n ** 27n

/** `value` × (1 + shift), rounded down. */
export function shiftUp(value: bigint, shift: bigint): bigint {
  return (value * (SHIFT_ONE + shift)) / SHIFT_ONE
}

/** `value` ÷ (1 + shift), rounded down. */
export function shiftDown(value: bigint, shift: bigint): bigint {
  return (value * SHIFT_ONE) / (SHIFT_ONE + shift)
}

/**
 * What to put into both sides of a pool so that `grown` / `other` grows by `shift`. One coarse unit of `grown` may be
 * far too much (USDG has 6 decimals); the finer `other` then takes the surplus back.
 */
export function donations(grown: bigint, other: bigint, shift: bigint): [toGrown: bigint, toOther: bigint] {
  const toGrown = (grown * shift + SHIFT_ONE - 1n) / SHIFT_ONE
  const toOther = ((grown + toGrown) * other * SHIFT_ONE) / (grown * (SHIFT_ONE + shift)) - other
  return [toGrown, toOther]
}

interface RangePool {
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
}

/**
 * The swap that moves the price of a pool of concentrated liquidity by about `shift`, told in the token with more base
 * units, for the other may be too coarse.
 *
 * @returns the input; or minus the output, when that is the finer token.
 */
export function swapAmount(pool: RangePool, zeroForOne: boolean, shift: bigint): bigint {
  const virtual0 = (pool.liquidity << 96n) / pool.sqrtPriceX96
  const virtual1 = (pool.liquidity * pool.sqrtPriceX96) >> 96n
  const [sold, bought] = zeroForOne ? [virtual0, virtual1] : [virtual1, virtual0]
  // To first order either is half the shift; the output's form never asks for more than there is.
  const input = (sold * shift) / (2n * SHIFT_ONE) + 1n
  const output = (bought * shift) / (2n * SHIFT_ONE + shift) + 1n
  return sold >= bought ? input : -output
}
