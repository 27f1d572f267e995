import { mulDivUp } from '../amounts/bps.ts'
import { shortestDecimal } from '../amounts/decimal.ts'

/** USD per whole token, exactly. */
export interface UsdMark {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The USD feeds of the chain answer with 8 decimals. */
const FEED_SCALE = 10n ** 8n

export function feedMark(answer: bigint | null): UsdMark | null {
  return answer === null ? null : { numerator: answer, denominator: FEED_SCALE }
}

/**
 * The mark that a caller sent (§4.1 `fromPriceUsd`, `toPriceUsd`), or null when it sent none.
 *
 * @param priceUsd finite and greater than zero, as the schema of the request has it.
 */
export function callerMark(priceUsd: number | null): UsdMark | null {
  if (priceUsd === null) return null
  const { coefficient, exponent } = shortestDecimal(priceUsd)
  return exponent >= 0
    ? { numerator: coefficient * 10n ** BigInt(exponent), denominator: 1n }
    : { numerator: coefficient, denominator: 10n ** BigInt(-exponent) }
}

/** A token with its mark, as far as conversions need them. */
export interface Marked {
  readonly decimals: number
  readonly mark: UsdMark
}

/** The factor that turns base units of one token into base units of another of equal worth. */
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
