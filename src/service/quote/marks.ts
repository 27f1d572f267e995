import { mulDivUp } from '../amounts/bps.ts'
import { shortestDecimal } from '../amounts/decimal.ts'

/** An exact USD price of a whole token. */
export interface UsdMark {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The chain's USD feeds return 8 decimals. */
const FEED_SCALE = 10n ** 8n

export function feedMark(answer: bigint | null): UsdMark | null {
  return answer === null ? null : { numerator: answer, denominator: FEED_SCALE }
}

/**
 * Returns the mark sent by the caller (§4.1 `fromPriceUsd`, `toPriceUsd`), or null when absent.
 *
 * @param priceUsd finite and greater than zero, as the request schema guarantees.
 */
export function callerMark(priceUsd: number | null): UsdMark | null {
  if (priceUsd === null) return null
  const { coefficient, exponent } = shortestDecimal(priceUsd)
  return exponent >= 0
    ? { numerator: coefficient * 10n ** BigInt(exponent), denominator: 1n }
    : { numerator: coefficient, denominator: 10n ** BigInt(-exponent) }
}

export interface Marked {
  readonly decimals: number
  readonly mark: UsdMark
}

/** Returns the factor that converts base units of one token to base units of another of equal value. */
export function worthRatio(from: Marked, to: Marked): UsdMark {
  return {
    numerator: from.mark.numerator * to.mark.denominator * 10n ** BigInt(to.decimals),
    denominator: from.mark.denominator * to.mark.numerator * 10n ** BigInt(from.decimals),
  }
}

export function worthUp(raw: bigint, from: Marked, to: Marked): bigint {
  const { numerator, denominator } = worthRatio(from, to)
  return mulDivUp(raw, numerator, denominator)
}

export function worthDown(raw: bigint, from: Marked, to: Marked): bigint {
  const { numerator, denominator } = worthRatio(from, to)
  return (raw * numerator) / denominator
}
