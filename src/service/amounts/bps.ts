import { LIMITS } from '../../spec/limits.ts'

const DENOMINATOR = BigInt(LIMITS.bpsDenominator)

/** Returns the partner's fee in base units of the input: floor(amount × bps / 10000), rounded once; the venue swaps the rest. */
export function feeRawOf(amountInRaw: bigint, feeBps: number): bigint {
  return (amountInRaw * BigInt(feeBps)) / DENOMINATOR
}

/** Returns the minimum output: floor(out × (10000 − slippage) / 10000). */
export function minimumRawOf(amountOutRaw: bigint, slippageBps: number): bigint {
  return (amountOutRaw * (DENOMINATOR - BigInt(slippageBps))) / DENOMINATOR
}

/** Returns ceil(a × b / divisor), used for costs. The operands must not be negative; the divisor must be positive. */
export function mulDivUp(a: bigint, b: bigint, divisor: bigint): bigint {
  return (a * b + divisor - 1n) / divisor
}

/**
 * Returns numerator / denominator in bps, rounded down to a millionth of a bp; finite for every input.
 *
 * @param numerator not negative.
 * @param denominator positive.
 */
export function ratioBps(numerator: bigint, denominator: bigint): number {
  return Number((numerator * DENOMINATOR * 1_000_000n) / denominator) / 1_000_000
}
