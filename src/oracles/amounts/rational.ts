/** A rational number; the denominator is greater than zero. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const ZERO: Rational = { numerator: 0n, denominator: 1n }

/** Returns a whole number, or `numerator / denominator` with a denominator other than zero. */
export function rational(numerator: bigint, denominator = 1n): Rational {
  return denominator < 0n ? { numerator: -numerator, denominator: -denominator } : { numerator, denominator }
}

export function add(left: Rational, right: Rational): Rational {
  return rational(
    left.numerator * right.denominator + right.numerator * left.denominator,
    left.denominator * right.denominator,
  )
}

export function subtract(left: Rational, right: Rational): Rational {
  return add(left, rational(-right.numerator, right.denominator))
}

export function multiply(left: Rational, right: Rational): Rational {
  return rational(left.numerator * right.numerator, left.denominator * right.denominator)
}

/** @throws {RangeError} `right` is zero. */
export function divide(left: Rational, right: Rational): Rational {
  if (right.numerator === 0n) throw new RangeError('division by zero')
  return rational(left.numerator * right.denominator, left.denominator * right.numerator)
}

/** Reads a decimal number that is not negative, exactly; null: the text is none. */
export function readRational(text: string): Rational | null {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^\+?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text) ?? []
  if (whole === '') return null
  return multiply(rational(BigInt(whole + fraction)), powerOfTen(Number(exponent) - fraction.length))
}

export function absolute(value: Rational): Rational {
  return value.numerator < 0n ? rational(-value.numerator, value.denominator) : value
}

/** Returns −1, 0 or 1 as `left` is less than, equal to or greater than `right`. */
export function compare(left: Rational, right: Rational): -1 | 0 | 1 {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Returns whether the two lie no further apart than `tolerance`. */
export function within(left: Rational, right: Rational, tolerance: Rational): boolean {
  return compare(absolute(subtract(left, right)), tolerance) <= 0
}

/** Returns the greatest whole number that is not above `value`. */
export function floor(value: Rational): bigint {
  const quotient = value.numerator / value.denominator
  return value.numerator < 0n && quotient * value.denominator !== value.numerator ? quotient - 1n : quotient
}

/** Returns the least whole number that is not below `value`. */
export function ceiling(value: Rational): bigint {
  return -floor(rational(-value.numerator, value.denominator))
}

/** Returns the value as decimal text, cut after `places` decimal places: for people, not for judging. */
export function approximate(value: Rational, places: number): string {
  const scaled = floor(multiply(absolute(value), powerOfTen(places)))
    .toString()
    .padStart(places + 1, '0')
  const whole = scaled.slice(0, scaled.length - places)
  return `${value.numerator < 0n ? '-' : ''}${whole}.${scaled.slice(scaled.length - places)}`
}

/** Returns ten to the power of `exponent`, which may be negative. */
export function powerOfTen(exponent: number): Rational {
  const magnitude = 10n ** BigInt(Math.abs(exponent))
  return exponent < 0 ? rational(1n, magnitude) : rational(magnitude)
}

/** Returns the exponent of the leading decimal digit: 0 for 1 to 9.99…, −1 for 0.1. `value` must not be zero. */
export function leadingDigitExponent(value: Rational): number {
  const { numerator, denominator } = absolute(value)
  const guess = numerator.toString().length - denominator.toString().length
  return compare(absolute(value), powerOfTen(guess)) < 0 ? guess - 1 : guess
}
