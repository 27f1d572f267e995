import { expect, it } from 'vitest'
import { retryAfterSeconds } from './retryAfter.ts'

it.each([
  [1, 1_000, 1],
  [12, 1_000, 12],
  [12, 100, 2],
  [1, 100, 1],
  [5, 1_100, 6],
  [12, 12_000, 60],
  [0, 1_000, 1],
])('%i blocks of %i ms are asked for again after %i s', (missing, blockTimeMs, seconds) => {
  expect(retryAfterSeconds(missing, blockTimeMs)).toBe(seconds)
})
