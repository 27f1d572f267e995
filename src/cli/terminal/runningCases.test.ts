import { expect, test } from 'vitest'
import { describeRunning, nextRunning } from './runningCases.ts'

test('cases that run are named, the longest of them is timed once it is long', () => {
  const first = nextRunning(new Map(), ['a'], 10)
  expect(describeRunning(first, 12)).toBe('a')
  const then = nextRunning(first, ['a', 'b', 'c'], 14)
  expect(describeRunning(then, 15.9)).toBe('a, b, and 1 more for 5 s')
  expect(describeRunning(nextRunning(then, ['c'], 16), 16)).toBe('c')
  expect(describeRunning(nextRunning(then, [], 16), 16)).toBe('')
})
