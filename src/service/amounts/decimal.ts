/** A decimal number, exactly: `coefficient` × 10^`exponent`. */
export interface Decimal {
  readonly coefficient: bigint
  readonly exponent: number
}

/**
 * The shortest decimal text that names this double, without the text: the number a person wrote into the JSON, exponents
 * expanded. Floating arithmetic on it would bring digits that nobody wrote (0.57 × 10^18 ends in …936).
 *
 * @param value finite and not negative.
 */
export function shortestDecimal(value: number): Decimal {
  const [mantissa = '', exponentText = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponentText) - fraction.length }
}

/** `decimal` × 10^`shift` as an integer, surplus digits cut off, never rounded up. */
export function scaleDown(decimal: Decimal, shift: number): bigint {
  const power = decimal.exponent + shift
  return power >= 0 ? decimal.coefficient * 10n ** BigInt(power) : decimal.coefficient / 10n ** BigInt(-power)
}
