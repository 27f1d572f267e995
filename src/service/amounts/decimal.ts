/** An exact decimal number: `coefficient` × 10^`exponent`. */
export interface Decimal {
  readonly coefficient: bigint
  readonly exponent: number
}

/**
 * Returns the exact value of the shortest decimal text for this double, which is the number as written in the JSON. Floating-point
 * arithmetic would add digits that are not in the input (0.57 × 10^18 ends in …936).
 *
 * @param value finite and not negative.
 */
export function shortestDecimal(value: number): Decimal {
  const [mantissa = '', exponentText = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponentText) - fraction.length }
}

/** Returns `decimal` × 10^`shift` as an integer, with surplus digits cut off, never rounded up. */
export function scaleDown(decimal: Decimal, shift: number): bigint {
  const power = decimal.exponent + shift
  return power >= 0 ? decimal.coefficient * 10n ** BigInt(power) : decimal.coefficient / 10n ** BigInt(-power)
}
