import { describe, expect, it } from 'vitest'
import { donations, findShift, SHIFT_ONE, shiftedSqrtPrice, UnreachableOutputError } from './shift.ts'

describe('donations', () => {
  it('takes back with the finer token what one coarse unit is too much', () => {
    // 1,000 units of a token against 10^15 of another; a shift of 10^-6 would need a thousandth of one unit.
    const [toGrown, toOther] = donations(1_000n, 10n ** 15n, SHIFT_ONE / 10n ** 6n)
    expect(toGrown).toBe(1n)
    // 1,001 / (10^15 + toOther) = 1.000001 × 1,000 / 10^15
    expect(toOther).toBe(998_999_001_000n)
  })

  it('gives nothing for no shift', () => {
    expect(donations(1_000n, 10n ** 15n, 0n)).toEqual([0n, 0n])
  })
})

describe('shiftedSqrtPrice', () => {
  it('moves the root by the root of the shift', () => {
    // 1 + 0.21 = 1.1²
    const shift = (SHIFT_ONE * 21n) / 100n
    expect(shiftedSqrtPrice(10n ** 24n, false, shift)).toBe(11n * 10n ** 23n)
    expect(shiftedSqrtPrice(11n * 10n ** 23n, true, shift)).toBe(10n ** 24n)
  })

  it('stays for no shift', () => {
    expect(shiftedSqrtPrice(123_456_789n, true, 0n)).toBe(123_456_789n)
    expect(shiftedSqrtPrice(123_456_789n, false, 0n)).toBe(123_456_789n)
  })
})

describe('findShift', () => {
  const rising = async (shift: bigint) => 1_000_000n + (shift * 1_000_000n) / SHIFT_ONE
  const falling = async (shift: bigint) => (1_000_000n * SHIFT_ONE) / (SHIFT_ONE + shift)

  it('finds the shift of a single unit, up or down, and none for the output as it stands', async () => {
    expect(await rising(await findShift(rising, 1_000_001n))).toBe(1_000_001n)
    expect(await falling(await findShift(falling, 999_999n))).toBe(999_999n)
    expect(await falling(await findShift(falling, 600_000n))).toBe(600_000n)
    expect(await findShift(rising, 1_000_000n)).toBe(0n)
  })

  it('error: UnreachableOutputError', async () => {
    const jumping = async (shift: bigint) => ((await rising(shift)) / 2n) * 2n
    await expect(findShift(jumping, 1_000_001n)).rejects.toThrow(UnreachableOutputError)
    await expect(findShift(rising, 999_999n)).rejects.toThrow(UnreachableOutputError)
  })
})
