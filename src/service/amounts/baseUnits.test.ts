import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvalidRequestError } from '../errors.ts'
import { amountToBaseUnits } from './baseUnits.ts'

describe('amountToBaseUnits', () => {
  test.each([
    [1, 18, 1_000_000_000_000_000_000n],
    [0.57, 18, 570_000_000_000_000_000n],
    [0.1, 18, 100_000_000_000_000_000n],
    [1.9999999, 6, 1_999_999n],
    [1.9999999, 0, 1n],
    [1e-7, 18, 100_000_000_000n],
    [1.5e-7, 8, 15n],
    [1e21, 0, 1_000_000_000_000_000_000_000n],
    [1.2345e21, 2, 123_450_000_000_000_000_000_000n],
    [123456789.12345679, 36, 123_456_789_123_456_790n * 10n ** 27n],
    [5e-324, 36, null],
    [1e-36, 36, 1n],
    [9.99e-7, 6, null],
    [0.5, 0, null],
    [1e77, 0, 10n ** 77n],
    [1e78, 0, null],
    [1e42, 36, null],
    [1.7976931348623157e308, 0, null],
  ])('%d at %d decimals', (amount, decimals, expected) => {
    if (expected === null) expect(() => amountToBaseUnits(amount, decimals)).toThrow(InvalidRequestError)
    else expect(amountToBaseUnits(amount, decimals)).toBe(expected)
  })

  test('is bounded by what was written: cut off, never rounded up', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 15n - 1n),
        fc.nat(36),
        fc.integer({ min: 0, max: 36 }),
        (digits, places, decimals) => {
          const amount = Number(`${digits}e-${places}`)
          const exact = digits * 10n ** BigInt(decimals)
          const unit = 10n ** BigInt(places)
          fc.pre(exact >= unit)
          const raw = amountToBaseUnits(amount, decimals)
          expect(raw * unit <= exact && exact < (raw + 1n) * unit).toBe(true)
        },
      ),
      { seed: 4663, numRuns: 500 },
    )
  })
})
