import {
  absolute,
  add,
  ceiling,
  compare,
  floor,
  leadingDigitExponent,
  multiply,
  powerOfTen,
  type Rational,
  rational,
  readRational,
  subtract,
  within,
  ZERO,
} from './rational.ts'

/**
 * Compares JSON numbers with base units exactly. A double is a rational number whose denominator is a power of two, and it is
 * compared as one: nothing here calculates with floats.
 *
 * A number on the wire may differ from the exact amount x that it shows. §1 asks for decimal numbers and names no rounding, so
 * these honest ways of printing must all conform:
 * - six significant digits or more, cut or rounded at the last digit: x lies from half a unit of that digit below the number to
 *   less than one unit above it. Trailing zeros are not written, so a number with fewer digits counts as one with six;
 * - the nearest double: off by at most 2^-53·x;
 * - the greatest double not above x: off by less than 2^-52·x;
 * - base units as a double, divided by 10^decimals as a double: three roundings to nearest, each off by at most 2^-53 of its
 *   value, together less than 2^-51·x.
 * From the 16th digit on, a double shows nothing, so a longer number counts as one with 15 digits. If x itself has at most 15
 * significant digits, a longer number may be off by 2^-51·x only. That is less than half a base unit, so two neighbouring
 * amounts are distinct if all of their digits are shown.
 *
 * Not judged here: the way that a service chose.
 */
const LEAST_DIGITS = 6
const SIGNIFICANT_DIGITS = 15
const DOUBLE_NOISE = rational(1n, 1n << 51n)

/**
 * Returns the exact value of a double.
 *
 * @throws {RangeError} `value` is not finite.
 */
export function exactOfDouble(value: number): Rational {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a finite number`)
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const biasedExponent = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & ((1n << 52n) - 1n)
  const mantissa = biasedExponent === 0 ? fraction : fraction | (1n << 52n)
  const exponent = (biasedExponent === 0 ? 1 : biasedExponent) - 1075
  const signed = bits >> 63n === 1n ? -mantissa : mantissa
  return exponent >= 0 ? rational(signed << BigInt(exponent)) : rational(signed, 1n << BigInt(-exponent))
}

/** Returns base units as whole tokens. */
function exactOfBaseUnits(raw: bigint, decimals: number): Rational {
  return rational(raw, 10n ** BigInt(decimals))
}

/** Returns how far a JSON number may lie from the amount `raw` that it shows, in whole tokens: see the derivation above. */
function printingToleranceOf(raw: bigint, decimals: number): Rational {
  const exact = absolute(exactOfBaseUnits(raw, decimals))
  const significant = raw.toString().replace('-', '').replace(/0+$/, '')
  return significant.length <= SIGNIFICANT_DIGITS
    ? multiply(exact, DOUBLE_NOISE)
    : longNumberToleranceOf(exact)
}

/** Returns how far an amount may lie from a number of which only the double is known, so that any digits may have been lost. */
export function toleranceOfDouble(value: number): Rational {
  return longNumberToleranceOf(absolute(exactOfDouble(value)))
}

/** Returns whether `value`, a JSON number of whole tokens, is an honest printing of exactly `raw` base units. */
export function isPrintingOf(value: number, raw: bigint, decimals: number): boolean {
  // JSON has numbers that are beyond every double.
  if (!Number.isFinite(value)) return false
  const shown = readDecimal(value)
  const exact = exactOfBaseUnits(raw, decimals)
  const tolerance = printingToleranceOf(raw, decimals)
  if (shown.digits > SIGNIFICANT_DIGITS) return within(exactOfDouble(value), exact, tolerance)
  const { below, above } = roundingOf(value)
  const lost = subtract(exact, shown.value)
  const isLow = compare(add(lost, add(below, tolerance)), ZERO) >= 0
  return isLow && (compare(lost, above) < 0 || within(exact, shown.value, tolerance))
}

/** Returns whether `value` shows more than `raw` base units, by more than its 15 digits can hide. */
export function isAbove(value: number, raw: bigint, decimals: number): boolean {
  const surplus = subtract(exactOfDouble(value), exactOfBaseUnits(raw, decimals))
  return compare(surplus, printingToleranceOf(raw, decimals)) > 0
}

/**
 * Returns the least and the greatest number of base units that an honest service may have printed as `value`. A value that
 * lies between two base units, more precise than the token itself, means either of its neighbours.
 */
export function baseUnitsShownBy(value: number, decimals: number): { low: bigint; high: bigint } {
  const scale = powerOfTen(decimals)
  const range = rangeShownBy(value, decimals)
  const low = ceiling(multiply(range.low, scale))
  const most = multiply(range.high, scale)
  const high = range.isOpen && compare(rational(floor(most)), most) === 0 ? floor(most) - 1n : floor(most)
  return low <= high ? { low, high } : { low: high, high: low }
}

/** Returns the amounts, in whole tokens, that an honest service may have printed as `value`. `isOpen`: `high` is excluded. */
export function rangeShownBy(
  value: number,
  decimals: number,
): { readonly low: Rational; readonly high: Rational; readonly isOpen: boolean } {
  const exact = exactOfDouble(value)
  const isShort = compare(absolute(multiply(exact, powerOfTen(decimals))), powerOfTen(SIGNIFICANT_DIGITS)) < 0
  const noise = multiply(absolute(exact), DOUBLE_NOISE)
  const shown = readDecimal(value)
  if (shown.digits > SIGNIFICANT_DIGITS) {
    const tolerance = isShort ? noise : toleranceOfDouble(value)
    return { low: subtract(exact, tolerance), high: add(exact, tolerance), isOpen: false }
  }
  const { below, above } = roundingOf(value)
  const slack = isShort ? ZERO : noise
  return {
    low: subtract(shown.value, add(below, slack)),
    high: add(add(shown.value, above), slack),
    isOpen: isShort,
  }
}

/** Returns how far an amount may lie below and above the number that shows it, given the number of its digits. */
export function roundingOf(value: number): { readonly below: Rational; readonly above: Rational } {
  const { unit } = readDecimal(value)
  return value < 0 ? { below: unit, above: unit } : { below: multiply(unit, rational(1n, 2n)), above: unit }
}

/** Reads the JSON text of a number: its exact value, the count of its significant digits, and one unit of its last digit. */
function readDecimal(value: number): {
  readonly value: Rational
  readonly digits: number
  readonly unit: Rational
} {
  const text = String(Math.abs(value))
  const size = readRational(text) ?? ZERO
  const digits = text
    .replace(/e.*/, '')
    .replace('.', '')
    .replace(/^0+|0+$/g, '').length
  if (digits === 0) return { value: ZERO, digits, unit: ZERO }
  const shown = Math.min(Math.max(digits, LEAST_DIGITS), SIGNIFICANT_DIGITS)
  const unit = powerOfTen(leadingDigitExponent(size) - (shown - 1))
  return { value: value < 0 ? subtract(ZERO, size) : size, digits, unit }
}

/**
 * Returns the base units of an amount that a caller wrote as a JSON number: its shortest decimal text, exponent expanded,
 * digits beyond the token's decimals cut. `surplus`: true if any digit was cut.
 *
 * @throws {RangeError} `amount` is not finite.
 */
export function baseUnitsAskedBy(amount: number, decimals: number): { raw: bigint; surplus: boolean } {
  const size = readRational(String(Math.abs(amount)))
  if (size === null) throw new RangeError(`${amount} is not a finite number`)
  const scaled = multiply(size, powerOfTen(decimals))
  const cut = floor(scaled)
  return { raw: amount < 0 ? -cut : cut, surplus: compare(scaled, rational(cut)) !== 0 }
}

function longNumberToleranceOf(magnitude: Rational): Rational {
  if (magnitude.numerator === 0n) return ZERO
  const unit = powerOfTen(leadingDigitExponent(magnitude) - (SIGNIFICANT_DIGITS - 1))
  return add(unit, multiply(magnitude, DOUBLE_NOISE))
}
