import { expect, it } from 'vitest'
import { judgeGrowth, type Sample } from './memory.ts'

/** A sample every six seconds for twenty minutes. */
const run = (mibAt: (minute: number, index: number) => number): readonly Sample[] =>
  Array.from({ length: 200 }, (_, index) => ({ minute: index / 10, mib: mibAt(index / 10, index) }))

it('finds a leak, with its slope', () => {
  const { mibPerMinute, meanMib, isTooMuch } = judgeGrowth(run((minute) => 100 + minute))
  expect(mibPerMinute).toBeCloseTo(1, 9)
  // Ten windows of ten samples: the least are those at minutes 10, 11 … 19.
  expect(meanMib).toBeCloseTo(114.5, 9)
  expect(isTooMuch).toBe(true)
})

it('leaves aside what grows in the first half, and garbage that is collected again', () => {
  expect(judgeGrowth(run((minute) => 100 + Math.min(minute, 10) * 20)).isTooMuch).toBe(false)
  expect(judgeGrowth(run((_, index) => 100 + (index % 10) * 30)).mibPerMinute).toBeCloseTo(0, 9)
})

it('does not blame a slope that the scatter of the values explains', () => {
  // By hand: means of 100 and 160 in turn, whose line rises while no value does.
  const scattered = judgeGrowth(run((minute) => (Math.floor(minute) % 2 === 0 ? 100 : 160)))
  expect(scattered.error).toBeGreaterThan(3)
  expect(scattered.isTooMuch).toBe(false)
})

it('refuses a run that is too short for a line', () => {
  expect(() => judgeGrowth([{ minute: 0, mib: 1 }])).toThrow(RangeError)
})
