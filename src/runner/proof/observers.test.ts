import { expect, test } from 'vitest'
import { testCase } from '../testing/testCases.ts'
import { observersOf } from './observers.ts'
import { variant } from './variant.ts'
import type { VariantVerdict } from './variants.ts'

const POINT = 'quote.same-token'
const OBSERVER = testCase('observer', { requirements: [POINT] })
const JUDGE = testCase('judge', { requirements: ['tx.data'] })
const verdict = (differences: VariantVerdict['differences']): VariantVerdict => ({
  ...{ variant: variant('other', 'it differs', [POINT], {}), casesRun: 1, seen: true, differences },
  objections: [],
})

test('an open point whose record no variant changes is unobserved, and its case blind; a must is not an open point', () => {
  const { unobserved, blind } = observersOf([OBSERVER, JUDGE], [verdict([])])
  expect(unobserved).toContain(POINT)
  expect(unobserved).not.toContain('tx.data')
  expect(blind).toEqual([OBSERVER.id])
})

test('one recorded difference is enough', () => {
  const difference = { case: OBSERVER.id, requirement: POINT } as const
  const { unobserved, blind } = observersOf([OBSERVER, JUDGE], [verdict([difference])])
  expect(unobserved).not.toContain(POINT)
  expect(blind).toEqual([])
})
