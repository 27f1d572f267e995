import { expect, test } from 'vitest'
import { allRequirements } from '../../spec/requirements/index.ts'
import { type CheckRow, RESULTS_SCHEMA, type Results } from '../results.ts'
import { requirementVerdicts } from './requirementVerdicts.ts'

const MUST = 'tx.data'
const SILENT = 'confirm.repeat.body'
const DEEP = 'confirm.depth.twelve'

function check(status: CheckRow['status'], requirement: string, more: Partial<CheckRow> = {}): CheckRow {
  const failure = { requirement, message: 'm', expected: null, seen: null, exchanges: [], replay: 'r' }
  return {
    id: `case.${status}`,
    title: 't',
    requirements: [requirement],
    status,
    exercised: status === 'pass' ? 1 : 0,
    notes: [],
    failure: status === 'fail' ? failure : null,
    ...more,
  }
}

function verdictOf(id: string, ...results: CheckRow[]): string | undefined {
  const run: Results = {
    schema: RESULTS_SCHEMA,
    suite: 'run',
    target: 'reference',
    seed: 1,
    groups: [{ name: 'conformance', results }],
    footer: { results: results.length, complete: true },
  }
  return requirementVerdicts(run).find((requirement) => requirement.id === id)?.verdict
}

const judged = (requirement: string, passed: number, observed = 0) => ({
  judged: [{ requirement, passed, failed: 0, observed, venues: [], boundaryClasses: [], seen: [] }],
})

test('the catalogue still holds what these tests are about', () => {
  const level = (id: string) => allRequirements().find((requirement) => requirement.id === id)
  expect(level(MUST)).toMatchObject({ level: 'must', floor: 1 })
  expect(level(SILENT)?.level).toBe('silent')
  expect(level(DEEP)?.floor).toBe(2)
})

test.each([
  ['nobody asked', MUST, [], 'untested'],
  ['it passed', MUST, [check('pass', MUST)], 'pass'],
  ['it failed once among passes', MUST, [check('pass', MUST), check('fail', MUST)], 'fail'],
  [
    'a check that cites it broke another promise',
    MUST,
    [
      check('fail', MUST, {
        failure: { requirement: SILENT, message: '', expected: null, seen: null, exchanges: [], replay: '' },
      }),
    ],
    'inconclusive',
  ],
  ['the only check of it could not tell', MUST, [check('inconclusive', MUST)], 'inconclusive'],
  [
    'a passing check that cites it never judged it',
    MUST,
    [check('pass', MUST, judged(SILENT, 1))],
    'inconclusive',
  ],
  ['it was judged too seldom', DEEP, [check('pass', DEEP, judged(DEEP, 1))], 'inconclusive'],
  ['it was judged often enough', DEEP, [check('pass', DEEP, judged(DEEP, 2))], 'pass'],
  ['the target declares no such capability', MUST, [check('not-applicable', MUST)], 'not-applicable'],
  ['a silent point was seen', SILENT, [check('observed', SILENT, judged(SILENT, 0, 1))], 'observed'],
] as const)('%s', (_name, id, results, verdict) => {
  expect(verdictOf(id, ...results)).toBe(verdict)
})
