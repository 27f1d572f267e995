import { expect, test } from 'vitest'
import type { CaseResult, RequirementVerdict } from '../results.ts'
import { exampleCase, exampleResults } from '../testing/exampleResults.ts'
import { requirementVerdicts } from './requirementVerdicts.ts'

const MUST = 'tx.data'
const TALLIED: RequirementVerdict = {
  id: MUST,
  section: '2.3',
  level: 'must',
  status: 'inconclusive',
  exercised: 1,
  floor: 2,
  venues: [],
  boundaryClasses: [],
  observations: [],
  reason: 'exercised 1 of 2 times',
  stoppedBy: null,
}
const JUDGED: CaseResult['judged'][number] = {
  requirement: MUST,
  passed: 1,
  failed: 0,
  observed: 0,
  venues: ['venue_a'],
  boundaryClasses: ['zero'],
  observations: [],
}

const rowOf = (id: string, cases: readonly CaseResult[], tallied: RequirementVerdict[] = []) =>
  requirementVerdicts(exampleResults(cases, { requirements: tallied })).find((row) => row.id === id)

test('the report repeats what the tally says of a requirement', () => {
  expect(rowOf(MUST, [exampleCase('one', { judged: [JUDGED] })], [TALLIED])).toMatchObject({
    verdict: 'inconclusive',
    exercised: 1,
    floor: 2,
    notes: ['exercised 1 of 2 times'],
    cases: ['one'],
    classes: { venue_a: 1, zero: 1 },
  })
})

test('a requirement that the tally leaves out is untested, and an untestable one says why', () => {
  expect(rowOf(MUST, [])).toMatchObject({ verdict: 'untested' })
  const untestable = requirementVerdicts(exampleResults([])).filter(({ level }) => level === 'untestable')
  expect(untestable.length).toBeGreaterThan(0)
  for (const row of untestable)
    expect(row).toMatchObject({ verdict: 'untestable', notes: [expect.any(String)] })
})
