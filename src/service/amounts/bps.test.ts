import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feeRawOf, minimumRawOf, mulDivUp, ratioBps } from './bps.ts'

describe('feeRawOf', () => {
  test.each([
    [1_000_000n, 50, 5_000n],
    [1_000_000n, 0, 0n],
    [199n, 50, 0n],
    [200n, 50, 1n],
    [9_999n, 1, 0n],
    [10_000n, 1, 1n],
    [2n ** 256n - 1n, 50, 578960446186580977117854925043439539266349923328202820197287920039565648199n],
  ])('%d at %d bps', (amount, bps, fee) => {
    expect(feeRawOf(amount, bps)).toBe(fee)
  })
})

describe('minimumRawOf', () => {
  test.each([
    [10_000n, 5_000, 5_000n],
    [10_000n, 0, 10_000n],
    [1n, 1, 0n],
    [2_005_000_000_000_000_000n, 50, 1_994_975_000_000_000_000n],
    [999n, 50, 994n],
  ])('%d at %d bps', (out, bps, minimum) => {
    expect(minimumRawOf(out, bps)).toBe(minimum)
  })

  test('is the greatest integer not above the exact share', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.nat(5_000), (out, bps) => {
        const minimum = minimumRawOf(out, bps)
        const exact = out * BigInt(10_000 - bps)
        expect(minimum * 10_000n <= exact && exact < (minimum + 1n) * 10_000n).toBe(true)
      }),
      { seed: 4663, numRuns: 300 },
    )
  })
})

test('mulDivUp rounds up only what is left over', () => {
  expect(mulDivUp(10n, 3n, 5n)).toBe(6n)
  expect(mulDivUp(10n, 3n, 7n)).toBe(5n)
  expect(mulDivUp(0n, 3n, 7n)).toBe(0n)
})

test('ratioBps', () => {
  expect(ratioBps(1n, 100n)).toBe(100)
  expect(ratioBps(1n, 3n)).toBe(3333.333333)
  expect(ratioBps(0n, 3n)).toBe(0)
})
