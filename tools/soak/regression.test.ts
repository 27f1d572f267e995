import { expect, it } from 'vitest'
import { fitLine, leastOfEach } from './regression.ts'

const MINUTE_MS = 60_000

it('finds the slope of a line, with no error', () => {
  const samples = [0, 1, 2, 3, 4].map((minute) => ({ atMs: minute * MINUTE_MS, value: 100 + 3 * minute }))
  const { perMinute, errorPerMinute, mean } = fitLine(samples)
  expect(perMinute).toBeCloseTo(3, 9)
  expect(errorPerMinute).toBeCloseTo(0, 9)
  expect(mean).toBe(106)
})

it('says how uncertain the slope of scattered values is', () => {
  // By hand: mean 2, sum of products 0.5, sum of squares 5; the residuals are 0.15, 0.05, -0.55 and 0.35.
  const values = [2, 2, 1.5, 2.5]
  const { perMinute, errorPerMinute } = fitLine(values.map((value, at) => ({ atMs: at * MINUTE_MS, value })))
  expect(perMinute).toBeCloseTo(0.1, 9)
  expect(errorPerMinute).toBeCloseTo(Math.sqrt(0.45 / 2 / 5), 9)
})

it('refuses what no line goes through', () => {
  expect(() => fitLine([])).toThrow(RangeError)
  expect(() => fitLine([1, 2, 3].map((value) => ({ atMs: 5, value })))).toThrow(RangeError)
})

it('finds the least value of each window, also of the last, which may be short', () => {
  const samples = [5, 3, 4, 9, 7, 8, 6].map((value, atMs) => ({ atMs, value }))
  expect(leastOfEach(samples, 3)).toEqual([
    { atMs: 1, value: 3 },
    { atMs: 4, value: 7 },
    { atMs: 6, value: 6 },
  ])
})
