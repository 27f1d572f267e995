import { LIMITS } from '../../spec/limits.ts'

/** Returns the fee on an amount, cut to base units: floor(amount × feeBps / 10000). */
export function feeOf(amountRaw: bigint, feeBps: number): bigint {
  return (amountRaw * BigInt(feeBps)) / BigInt(LIMITS.bpsDenominator)
}

/** Returns whether `feeRaw` is `feeBps` of the amount, cut or rounded up to base units: the specification names no rounding. */
export function feeIsFair(feeRaw: bigint, amountRaw: bigint, feeBps: number): boolean {
  const cut = feeOf(amountRaw, feeBps)
  const isWhole = (amountRaw * BigInt(feeBps)) % BigInt(LIMITS.bpsDenominator) === 0n
  return feeRaw === cut || (!isWhole && feeRaw === cut + 1n)
}
