import { expect, test } from 'vitest'
import { conformanceCases } from '../../../conformance/index.ts'
import { VARIANTS } from '../../../conformance/variants/index.ts'
import { allRequirements, type RequirementId } from '../../spec/requirements/index.ts'
import { observersOf } from './observers.ts'
import type { VariantVerdict } from './variants.ts'

const CASES = conformanceCases()
const [variant] = VARIANTS
if (variant === undefined) throw new RangeError('there are no variants')
const verdict = (differences: VariantVerdict['differences']): VariantVerdict => ({
  variant,
  casesRun: 1,
  seen: true,
  differences,
  objections: [],
})
const OBSERVER = 'quote.open.quote.same-token'
const POINT: RequirementId = 'quote.same-token'

test('an open point whose record no variant changes is unobserved, and its case blind', () => {
  const { unobserved, blind } = observersOf(CASES, [verdict([])])
  expect(unobserved).toContain(POINT)
  expect(blind).toContain(OBSERVER)
})

test('one recorded difference is enough', () => {
  const { unobserved, blind } = observersOf(CASES, [verdict([{ case: OBSERVER, requirement: POINT }])])
  expect(unobserved).not.toContain(POINT)
  expect(blind).not.toContain(OBSERVER)
})

test('a must is not an open point, and a case that can fail is not an observer', () => {
  const musts = allRequirements().filter(({ level }) => level === 'must')
  const { unobserved, blind } = observersOf(CASES, [])
  expect(unobserved.filter((id) => musts.some((must) => must.id === id))).toEqual([])
  expect(blind).not.toContain('quote.route.market')
})
