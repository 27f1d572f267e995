import { expect, it } from 'vitest'
import { cutRanges, seedsIn } from './range.ts'

const of = (lastSeed: number) => ({ firstSeed: 1, lastSeed })

it('cuts few seeds into short ranges, and many into longer ones', () => {
  expect(cutRanges(of(200), 0, 2, true)).toEqual([
    { firstSeed: 1, lastSeed: 5 },
    { firstSeed: 6, lastSeed: 10 },
  ])
  expect(cutRanges(of(40_000), 0, 1, true)).toEqual([{ firstSeed: 1, lastSeed: 20 }])
  expect(cutRanges(of(900_000_000), 0, 1, true)).toEqual([{ firstSeed: 1, lastSeed: 100 }])
})

it('makes each seed of cases a range', () => {
  expect(cutRanges(of(40_000), 6, 1, false)).toEqual([{ firstSeed: 7, lastSeed: 7 }])
})

it('plans every seed once, and the last range ends with the last seed', () => {
  const ranges = cutRanges(of(3_333), 0, Number.POSITIVE_INFINITY, true)
  expect(ranges.map(({ firstSeed }) => firstSeed)).toEqual(
    Array.from({ length: 667 }, (_, index) => 1 + 5 * index),
  )
  expect(ranges.reduce((sum, range) => sum + seedsIn(range), 0)).toBe(3_333)
  expect(cutRanges(of(3_333), 3_333, 9, true)).toEqual([])
})
