import { expect, test } from 'vitest'
import type { CaseResult } from '../../runner/cases/runCase.ts'
import { outcomeOf } from '../../runner/verdict/outcome.ts'
import { referenceFacts } from '../../targets/starting/reference.ts'
import { PROPERTY } from '../run/presets.ts'
import { requestOf } from '../run/run.ts'

const OPTIONS = { seed: 1, effort: 'quick', profile: 'sandbox', timeout: 60 } as const
const request = await requestOf({
  ...{ command: 'property', target: 'reference', options: {}, seed: 1 },
  suites: PROPERTY.suites(OPTIONS, false),
})
const [property] = request.suites[0]?.cases(null) ?? []
if (property === undefined) throw new RangeError('there are no properties')

/** Returns the result of a run of one property that met one class of cases this often. */
function verdictOf(status: CaseResult['status'], met: number) {
  const { id, title, requirements } = property as CaseResult & typeof property
  const notes = ['cases: 1', `fee: 50: ${met}`]
  const result = { id, title, requirements, status, exercised: 1, notes, judged: [], failure: null }
  const suites = [{ name: 'properties', cases: [result] }]
  return outcomeOf(request, { target: referenceFacts('sandbox'), suites, whole: false }).result
}

test('a class of cases that was met too rarely makes a run of the properties inconclusive, and is named', () => {
  const { verdict, floors } = verdictOf('pass', 0)
  expect(verdict).toBe('inconclusive')
  expect(floors.filter(({ floor, met }) => met < floor).map(({ label }) => label)).toContain('fee: 50')
})

test('a run of the properties that failed need not meet the classes', () => {
  const { verdict, floors } = verdictOf('fail', 0)
  expect(verdict).toBe('does-not-conform')
  expect(floors).toEqual([])
})
