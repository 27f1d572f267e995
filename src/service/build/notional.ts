import type { Marked } from '../quote/marks.ts'

const MICROS_PER_USD = 1_000_000n

/**
 * Returns the USD value of the input in millionths, rounded down, at the chain's price and never the caller's mark (§4.3 rule
 * 8); null without a price: such builds stay unpriced.
 */
export function notionalUsdMicros(amountInRaw: bigint, feedIn: Marked | null): bigint | null {
  if (feedIn === null) return null
  const { mark, decimals } = feedIn
  return (amountInRaw * mark.numerator * MICROS_PER_USD) / (mark.denominator * 10n ** BigInt(decimals))
}
