import { expect, test } from 'vitest'
import { growthOf, isWorseThanLinear, mediansOf } from './curves.ts'
import { leastSquares } from './leastSquares.ts'

const SIZES = [10, 100, 1_000, 10_000]
const samplesOf = (cost: (size: number) => number, noise: readonly number[] = [0.98, 1, 1.02]) => ({
  samples: SIZES.flatMap((size) => noise.map((factor) => ({ size, ms: cost(size) * factor }))),
})

test.each([
  [1, (size: number) => 0.3 * size],
  [2, (size: number) => 0.001 * size ** 2],
  [0, () => 7],
])('the exponent of size to the power of %d lies in its interval', (power, cost) => {
  const growth = growthOf(samplesOf(cost))
  expect(growth?.exponent).toBeCloseTo(power, 6)
  expect(growth?.low).toBeLessThan(power)
  expect(growth?.high).toBeGreaterThan(power)
  expect(growth?.fitted(1_000)).toBeCloseTo(cost(1_000) * (0.98 * 1.02) ** (1 / 3), 6)
})

test('constant costs at small sizes do not hide what grows faster than its size', () => {
  const growth = growthOf(samplesOf((size) => 100 + 0.01 * size ** 2))
  expect(growth?.from).toBe(100)
  expect(growth?.exponent).toBeGreaterThan(1.8)
  const judged = (cost: (size: number) => number) => {
    const found = growthOf(samplesOf(cost))
    return found !== null && isWorseThanLinear(found)
  }
  expect(judged((size) => 100 + 0.01 * size ** 2)).toBe(true)
  expect([judged((size) => size), judged((size) => size * Math.log(size)), judged(() => 5)]).toEqual([
    false,
    false,
    false,
  ])
})

test('the interval is that of Student, and too few samples have none', () => {
  // Logarithms 0, 1, 2, 3 against 0, 1.1, 1.9, 3.2: slope 1.04, residual sum of squares 0.042; t(2) is 4.303.
  const values = [0, 1.1, 1.9, 3.2]
  const samples = values.map((value, x) => ({ size: 2 ** x, ms: 2 ** value }))
  const growth = growthOf({ samples })
  expect(growth?.exponent).toBeCloseTo(1.04, 9)
  const half = 4.303 * Math.sqrt(0.042 / 2 / 5)
  expect((growth?.high ?? 0) - 1.04).toBeCloseTo(half, 1)
  expect(growthOf({ samples: samples.slice(0, 3) })).toBeNull()
  expect(growthOf({ samples: samples.map(({ ms }) => ({ size: 5, ms })) })).toBeNull()
  expect(() => leastSquares([1, 2, 3].map((y) => ({ x: 5, y })))).toThrow(RangeError)
})

test('a median is the middle of the times of its size, the least size first', () => {
  const samples = [
    { size: 20, ms: 9 },
    { size: 10, ms: 4 },
    { size: 10, ms: 1 },
    { size: 10, ms: 2 },
    { size: 20, ms: 5 },
  ]
  expect(mediansOf({ samples })).toEqual([
    { size: 10, ms: 2 },
    { size: 20, ms: 7 },
  ])
})
