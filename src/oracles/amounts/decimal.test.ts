import { describe, expect, test } from 'vitest'
import { baseUnitsAskedBy, baseUnitsShownBy, exactOfDouble, isAbove, isPrintingOf } from './decimal.ts'
import { ceiling, compare, divide, floor, leadingDigitExponent, rational } from './rational.ts'

describe('a double as an exact rational', () => {
  test.each([
    [0, 0n, 1n],
    [-0, 0n, 1n],
    [1, 1n, 1n],
    [-2.5, -5n, 2n],
    [0.1, 3602879701896397n, 36028797018963968n],
    [2 ** -1074, 1n, 1n << 1074n],
    [2 ** 80, 1n << 80n, 1n],
  ])('%d', (value, numerator, denominator) => {
    expect(compare(exactOfDouble(value), rational(numerator, denominator))).toBe(0)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('error: RangeError for %d', (value) => {
    expect(() => exactOfDouble(value)).toThrow(RangeError)
    expect(() => baseUnitsAskedBy(value, 18)).toThrow(RangeError)
  })
})

describe('whole numbers around a rational', () => {
  test.each([
    [7n, 2n, 3n, 4n],
    [-7n, 2n, -4n, -3n],
    [6n, 3n, 2n, 2n],
    [7n, -2n, -4n, -3n],
  ])('%d/%d', (numerator, denominator, low, high) => {
    expect(floor(rational(numerator, denominator))).toBe(low)
    expect(ceiling(rational(numerator, denominator))).toBe(high)
  })

  test('the leading digit of numbers beside powers of ten', () => {
    expect(leadingDigitExponent(rational(1n))).toBe(0)
    expect(leadingDigitExponent(rational(999n, 100n))).toBe(0)
    expect(leadingDigitExponent(rational(10n))).toBe(1)
    expect(leadingDigitExponent(rational(1n, 10n))).toBe(-1)
    expect(leadingDigitExponent(rational(-99n, 1000n))).toBe(-2)
  })

  test('error: RangeError', () => {
    expect(() => divide(rational(1n), rational(0n))).toThrow(RangeError)
  })
})

describe('an honest printing of base units', () => {
  const raw = 1994999999999999999n // 1.994999999999999999 at 18 decimals
  test.each([
    ['the nearest double', 1.995],
    ['the double below', 1.9949999999999999],
    ['15 digits cut', 1.99499999999999],
    ['15 digits rounded', 1.995],
    ['six digits, cut', 1.99499],
    ['seven digits, rounded', 1.995],
  ])('%s conforms', (_way, value) => {
    expect(isPrintingOf(value, raw, 18)).toBe(true)
  })

  test.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])('%d is none', (value) => {
    expect(isPrintingOf(value, raw, 18)).toBe(false)
  })

  test('base units as a double over a power of ten conforms', () => {
    const odd = 123456789012345678901234n
    expect(isPrintingOf(Number(odd) / 1e18, odd, 18)).toBe(true)
  })

  test.each([1.9949, 1.99498, 1.99501])('%d is none, to any number of digits from six up', (value) => {
    expect(isPrintingOf(value, raw, 18)).toBe(false)
  })

  test('what is above is above by more than a double of 15 digits hides', () => {
    expect(isAbove(1.995, raw, 18)).toBe(false)
    expect(isAbove(2477.68, 2477672839n, 6)).toBe(true)
    expect(isAbove(2477.67284, 2477672839n, 6)).toBe(true)
    expect(isAbove(2477.67, 2477672839n, 6)).toBe(false)
  })

  test('a float multiplication that lost the 14th digit does not', () => {
    expect(isPrintingOf(1.9949999999998, raw, 18)).toBe(false)
  })

  test('neighbours of a token with few decimals are told apart', () => {
    expect(isPrintingOf(2500.123456, 2500123456n, 6)).toBe(true)
    expect(isPrintingOf(2500.123455, 2500123456n, 6)).toBe(false)
    expect(isPrintingOf(2500.123457, 2500123456n, 6)).toBe(false)
    expect(isPrintingOf(999999999.999999, 999999999999999n, 6)).toBe(true)
    expect(isPrintingOf(999999999.999998, 999999999999999n, 6)).toBe(false)
  })

  test('zero is shown only by zero', () => {
    expect(isPrintingOf(0, 0n, 18)).toBe(true)
    expect(isPrintingOf(1e-300, 0n, 18)).toBe(false)
  })
})

describe('the base units that a number may show', () => {
  test('one, when the amount has at most 15 digits', () => {
    expect(baseUnitsShownBy(2500.123456, 6)).toEqual({ low: 2500123456n, high: 2500123456n })
    expect(baseUnitsShownBy(0.3, 6)).toEqual({ low: 300000n, high: 300000n })
    expect(baseUnitsShownBy(7, 0)).toEqual({ low: 7n, high: 7n })
  })

  test('a range around it, when digits were lost', () => {
    const { low, high } = baseUnitsShownBy(1.995, 18)
    expect(low <= 1994999999999999999n && 1994999999999999999n <= high).toBe(true)
    expect(baseUnitsShownBy(1.99499999999999, 18).high - 1994999999999990000n).toBe(10_885n)
  })

  test('both neighbours, when the number is finer than the token', () => {
    expect(baseUnitsShownBy(1.5, 0)).toEqual({ low: 1n, high: 2n })
  })
})

describe('the base units that a caller asks for', () => {
  test.each([
    [0.57, 18, 570000000000000000n, false],
    [1e-7, 18, 100000000000n, false],
    [1e21, 18, 10n ** 39n, false],
    [1.9999999, 6, 1999999n, true],
    [1e-7, 6, 0n, true],
    [1.5e-7, 8, 15n, false],
    [123, 0, 123n, false],
    [0.5, 0, 0n, true],
    [-1.5, 1, -15n, false],
  ])('%d at %d decimals', (amount, decimals, raw, surplus) => {
    expect(baseUnitsAskedBy(amount, decimals)).toEqual({ raw, surplus })
  })
})
