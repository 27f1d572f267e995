import { expect, it } from 'vitest'
import { judgeGrowth, type Sample } from './memory.ts'

/** Returns a sample every six seconds for twenty minutes. */
const run = (mibAt: (minute: number, index: number) => number): readonly Sample[] =>
  Array.from({ length: 200 }, (_, index) => ({ minute: index / 10, mib: mibAt(index / 10, index) }))

it('finds a leak, with its slope', () => {
  const { mibPerMinute, leastMib, isTooMuch } = judgeGrowth(run((minute) => 100 + minute))
  expect(mibPerMinute).toBeCloseTo(1, 9)
  expect(leastMib).toBeCloseTo(110, 9)
  expect(isTooMuch).toBe(true)
})

it('finds a leak of more than a twentieth in half of a run, and none below that', () => {
  // The second half begins at 100 + 10 × the slope, and grows by 10 × the slope.
  expect(judgeGrowth(run((minute) => 100 + 0.55 * minute)).isTooMuch).toBe(true)
  expect(judgeGrowth(run((minute) => 100 + 0.5 * minute)).isTooMuch).toBe(false)
})

it('leaves aside what grows in the first half, and garbage that is collected again', () => {
  expect(judgeGrowth(run((minute) => 100 + Math.min(minute, 10) * 20)).isTooMuch).toBe(false)
  expect(judgeGrowth(run((_, index) => 100 + (index % 10) * 30)).mibPerMinute).toBeCloseTo(0, 9)
})

it('does not blame memory that rises and falls', () => {
  expect(judgeGrowth(run((minute) => (Math.floor(minute) % 2 === 0 ? 100 : 160))).isTooMuch).toBe(false)
})

it('refuses a run that is too short to have quarters', () => {
  expect(() => judgeGrowth([{ minute: 0, mib: 1 }])).toThrow(RangeError)
})
