import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toNumberDown, toNumberNearest, toNumberUp } from './jsonNumber.ts'

/** Returns the exact value of the text that JSON prints for a non-negative number, as a numerator over a power of ten. */
function exactFraction(value: number): { numerator: bigint; denominator: bigint } {
  const [digits = '', exponent = '0'] = JSON.stringify(value).split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  const power = Number(exponent) - fraction.length
  const coefficient = BigInt(whole + fraction)
  return power >= 0
    ? { numerator: coefficient * 10n ** BigInt(power), denominator: 1n }
    : { numerator: coefficient, denominator: 10n ** BigInt(-power) }
}

describe('toNumberDown', () => {
  test.each([
    [0n, 18, 0],
    [1_994_999_999_999_999_999n, 18, 1.9949999999999999],
    [1_995_000_000_000_000_000n, 18, 1.995],
    [2_000_000_000_000_000_000n, 18, 2],
    [500_000n, 6, 0.5],
    [1_000_000n, 6, 1],
    [300_000n, 6, 0.3],
    [100_000n, 6, 0.1],
    [299_999_999_999_999_989n, 18, 0.29999999999999993],
    [9_007_199_254_740_993n, 0, 9_007_199_254_740_992],
    [1n, 36, 9.999999999999999e-37],
    [2n ** 256n - 1n, 0, 1.1579208923731618e77],
    [2n ** 255n, 0, 5.789604461865809e76],
    [-1_500_000n, 6, -1.5],
    [-100_000n, 6, -0.1],
    [-300_000n, 6, -0.3],
  ])('%d at %d decimals', (raw, decimals, expected) => {
    expect(toNumberDown(raw, decimals)).toBe(expected)
  })

  test('is never above the exact value and at most a few units in the last place below it', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 2n ** 256n - 1n),
        fc.integer({ min: 0, max: 255 }),
        fc.nat(36),
        (bits, drop, decimals) => {
          const raw = (bits >> BigInt(drop)) + 1n
          const scale = 10n ** BigInt(decimals)
          const down = exactFraction(toNumberDown(raw, decimals))
          const up = exactFraction(toNumberUp(raw, decimals))
          expect(down.numerator * scale <= raw * down.denominator).toBe(true)
          expect(up.numerator * scale >= raw * up.denominator).toBe(true)
          const tolerance = raw * down.denominator
          expect((raw * down.denominator - down.numerator * scale) * 2n ** 50n <= tolerance).toBe(true)
        },
      ),
      { seed: 4663, numRuns: 500 },
    )
  })

  test('keeps the order of what it rounds', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.bigInt(0n, 10n ** 6n), (low, gap) => {
        expect(toNumberDown(low, 18)).toBeLessThanOrEqual(toNumberDown(low + gap, 18))
      }),
      { seed: 4663, numRuns: 500 },
    )
  })
})

test.each([
  [100_000n, 6, 0.1],
  [300_000n, 6, 0.3],
  [1_994_999_999_999_999_999n, 18, 1.995],
  [1n, 18, 1.0000000000000001e-18],
  [-300_000n, 6, -0.3],
])('toNumberUp %d at %d decimals', (raw, decimals, expected) => {
  expect(toNumberUp(raw, decimals)).toBe(expected)
})

test('toNumberNearest gives back the number that was written', () => {
  expect(toNumberNearest(100_000_000_000_000_000n, 18)).toBe(0.1)
  expect(toNumberNearest(1_995_000n, 6)).toBe(1.995)
})
