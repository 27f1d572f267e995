import { expect, test } from 'vitest'
import { reportSince } from './runScenarioSteps.ts'

test('a report counts only the swaps since another one, with sums as numbers or as text', () => {
  const before = { confirmedSwaps: 2, unpricedSwaps: 1, estimatedInputUsd: '1250.50', lastConfirmationAt: 1 }
  const now = { confirmedSwaps: 4, unpricedSwaps: 1, estimatedInputUsd: '2500.75', lastConfirmationAt: 2 }
  expect(reportSince(now, before)).toEqual({
    confirmedSwaps: 2,
    unpricedSwaps: 0,
    estimatedInputUsd: 1250.25,
    lastConfirmationAt: 2,
  })
  expect(reportSince(now, now)).toMatchObject({ confirmedSwaps: 0, lastConfirmationAt: null })
})

test('a body that is not a report stays unchanged, and so does a figure that is not a number', () => {
  expect(reportSince({ error: 'no' }, { confirmedSwaps: 1 })).toEqual({ error: 'no' })
  expect(reportSince(null, { confirmedSwaps: 1 })).toBeNull()
  expect(reportSince({ confirmedSwaps: 'many' }, { confirmedSwaps: 1 })).toMatchObject({
    confirmedSwaps: 'many',
  })
})
