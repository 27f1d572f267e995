import { expect, test } from 'vitest'
import { toAnnotations } from './annotations.ts'
import type { CaseRow } from './results.ts'

const row = (more: Partial<CaseRow>): CaseRow => ({
  ...{ id: 'a.case', title: '', requirements: ['tx.data'], status: 'pass' },
  ...{ exercised: 1, notes: [], judged: [], failure: null },
  ...more,
})
const failure = {
  ...{ requirement: 'tx.data', message: 'expected 50 %\nsaw none', expected: null, seen: null },
  ...{ exchanges: [], replay: 'npx plumbline conform' },
}

test('a failure is an error with its requirement, on one line whatever its text', () => {
  expect(toAnnotations([row({ status: 'fail', failure })])).toEqual([
    '::error title=a.case violates tx.data::expected 50 %25%0Asaw none%0Anpx plumbline conform',
  ])
})

test('what could not be told, and what was never put, is a warning; the rest is silent', () => {
  const rows = [
    row({ status: 'inconclusive', failure: { ...failure, requirement: null } }),
    row({ id: 'late', status: 'inconclusive', notes: ['skipped: the run was over'] }),
    row({}),
    row({ status: 'not-applicable' }),
    row({ status: 'observed' }),
  ]
  expect(toAnnotations(rows).map((line) => line.slice(0, 24))).toEqual([
    '::warning title=a.case::',
    '::warning title=late::sk',
  ])
})
