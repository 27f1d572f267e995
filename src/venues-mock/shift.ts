import { PlumblineError } from '../spec/errors.ts'
import { squareRoot } from './squareRoot.ts'

/** A shift of this size doubles a price. The unit is small enough to hit single base units of any token. */
export const SHIFT_ONE = 10n ** 27n

/** Returns `value` × (1 + shift), rounded down. */
export function shiftUp(value: bigint, shift: bigint): bigint {
  return (value * (SHIFT_ONE + shift)) / SHIFT_ONE
}

/** Returns `value` ÷ (1 + shift), rounded down. */
export function shiftDown(value: bigint, shift: bigint): bigint {
  return (value * SHIFT_ONE) / (SHIFT_ONE + shift)
}

/**
 * Returns the amounts to add to both sides of a pool so that `grown` / `other` grows by `shift`. One coarse unit of `grown` may be
 * far too much (USDG has 6 decimals); the finer `other` then compensates for the excess.
 */
export function donations(grown: bigint, other: bigint, shift: bigint): [toGrown: bigint, toOther: bigint] {
  const toGrown = (grown * shift + SHIFT_ONE - 1n) / SHIFT_ONE
  const toOther = ((grown + toGrown) * other * SHIFT_ONE) / (grown * (SHIFT_ONE + shift)) - other
  return [toGrown, toOther]
}

/**
 * Returns the square root of a price that is `shift` higher, or lower when `isLower`. Its resolution is sufficient: even when a
 * coin of 6 decimals is priced in one of 18 it has 23 digits.
 */
export function shiftedSqrtPrice(sqrtPriceX96: bigint, isLower: boolean, shift: bigint): bigint {
  const root = squareRoot((SHIFT_ONE + shift) * SHIFT_ONE)
  return isLower ? (sqrtPriceX96 * SHIFT_ONE) / root : (sqrtPriceX96 * root) / SHIFT_ONE
}

/** No shift gives the requested output. */
export class UnreachableOutputError extends PlumblineError {
  override readonly name = 'UnreachableOutputError'
  constructor(target: bigint, problem: string) {
    super(
      `no shift of the price makes the output ${target}: ${problem}`,
      'Choose a target in the direction of the price move, and an amount whose output is not rounded to coarse steps.',
    )
  }
}

/**
 * Returns the shift at which an output is exactly `target`.
 *
 * @param outputAt returns the output in base units after a shift of the price, always from the same state; it is monotonic.
 * @throws {UnreachableOutputError} the output jumps over the target, or even a doubled or halved price does not reach it.
 */
export async function findShift(
  outputAt: (shift: bigint) => Promise<bigint>,
  target: bigint,
): Promise<bigint> {
  const still = await outputAt(0n)
  if (still === target) return 0n
  const isPast = (output: bigint) => (target > still ? output > target : output < target)
  const distance = target > still ? target - still : still - target
  let [low, high] = [0n, (distance * SHIFT_ONE) / (still + 1n) + 1n]
  for (let output = await outputAt(high); !isPast(output); output = await outputAt(high)) {
    if (output === target) return high
    if (high > SHIFT_ONE) throw new UnreachableOutputError(target, `it is ${output} at twice the price`)
    low = high
    high *= 2n
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const output = await outputAt(middle)
    if (output === target) return middle
    if (isPast(output)) high = middle
    else low = middle
  }
  throw new UnreachableOutputError(target, 'the output jumps over it')
}
