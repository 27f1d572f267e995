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
  subtract,
  within,
  ZERO,
} from './rational.ts'

/**
 * Exact comparison of JSON numbers with base units. A double is a rational number with a power of two below, and so it
 * is compared as one: nothing here calculates with floats.
 *
 * How far a number on the wire may lie from the exact amount x that it shows, and why. §1 asks for decimal numbers and
 * names no rounding, so three honest ways of printing must all conform:
 * - the nearest double: off by at most 2^-53·x;
 * - the greatest double not above x: off by less than 2^-52·x;
 * - base units as a double, divided by 10^decimals as a double: three roundings to nearest, each off by at most
 *   2^-53 of its value, together less than 2^-51·x;
 * - 15 significant digits, cut or rounded (what a spreadsheet shows): off by less than one unit of the 15th digit,
 *   10^(e−14) where e is the exponent of the leading digit, and the double of that text again at most 2^-53·x.
 * An amount that has no more than 15 significant digits loses nothing to the last way, so only 2^-51·x is left to it,
 * which is less than half of a base unit: two neighbouring amounts are still distinct. Longer amounts are distinct
 * from the 15th digit up; below it a double shows nothing.
 *
 * Not judged here: which of these ways a service chose.
 */
const SIGNIFICANT_DIGITS = 15
const DOUBLE_NOISE = rational(1n, 1n << 51n)

/**
 * Returns the exact value of a double.
 *
 * @throws {RangeError}
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

/** Returns the same for a number of which only the double is known, so that any digits may have been lost. */
export function toleranceOfDouble(value: number): Rational {
  return longNumberToleranceOf(absolute(exactOfDouble(value)))
}

/** Returns whether `value`, a JSON number of whole tokens, is an honest printing of exactly `raw` base units. */
export function isPrintingOf(value: number, raw: bigint, decimals: number): boolean {
  return within(exactOfDouble(value), exactOfBaseUnits(raw, decimals), printingToleranceOf(raw, decimals))
}

/**
 * Returns the least and the greatest number of base units that an honest service may have printed as `value`. A value that
 * lies between two base units, more precise than the token itself, means either of its neighbours.
 */
export function baseUnitsShownBy(value: number, decimals: number): { low: bigint; high: bigint } {
  const scale = powerOfTen(decimals)
  const exact = exactOfDouble(value)
  const short = compare(absolute(multiply(exact, scale)), powerOfTen(SIGNIFICANT_DIGITS)) < 0
  const tolerance = short ? multiply(absolute(exact), DOUBLE_NOISE) : toleranceOfDouble(value)
  const low = ceiling(multiply(subtract(exact, tolerance), scale))
  const high = floor(multiply(add(exact, tolerance), scale))
  return low <= high ? { low, high } : { low: high, high: low }
}

/**
 * Returns the base units of an amount that a caller wrote as a JSON number: its shortest decimal text, exponent expanded,
 * digits beyond the token's decimals cut. `surplus` is whether any digit was cut.
 *
 * @throws {RangeError}
 */
export function baseUnitsAskedBy(amount: number, decimals: number): { raw: bigint; surplus: boolean } {
  if (!Number.isFinite(amount)) throw new RangeError(`${amount} is not a finite number`)
  const [mantissa = '0', exponent = '0'] = String(amount).split('e')
  const [whole = '0', fraction = ''] = mantissa.replace('-', '').split('.')
  const scaled = multiply(
    rational(BigInt(whole + fraction)),
    powerOfTen(Number(exponent) - fraction.length + decimals),
  )
  const cut = floor(scaled)
  return { raw: amount < 0 ? -cut : cut, surplus: compare(scaled, rational(cut)) !== 0 }
}

function longNumberToleranceOf(magnitude: Rational): Rational {
  if (magnitude.numerator === 0n) return ZERO
  const unit = powerOfTen(leadingDigitExponent(magnitude) - (SIGNIFICANT_DIGITS - 1))
  return add(unit, multiply(magnitude, DOUBLE_NOISE))
}
