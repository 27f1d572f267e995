import { expect, test } from 'vitest'
import { toAnnotations } from './annotations.ts'
import { compareRuns } from './report/compareRuns.ts'
import type { CaseResult } from './results.ts'
import { exampleCase, exampleEntry, exampleFailure, exampleResults } from './testing/exampleResults.ts'

const row = (more: Partial<CaseResult>) => exampleCase(more.id ?? 'a.case', more)
const failure = exampleFailure('tx.data', { expected: '50 %', actual: 'none' })
const failed = (id: string, requirement: string) =>
  row({ id, status: 'fail', failure: { ...failure, requirement } })
const untold = (id: string, message: string) =>
  row({ id, status: 'inconclusive', failure: { ...failure, requirement: null, message } })
const annotationsOf = (...cases: CaseResult[]) => toAnnotations(exampleResults(cases))

test('a failure is an error with its requirement, on one line whatever its text', () => {
  expect(annotationsOf(row({ status: 'fail', failure }))).toEqual([
    expect.stringMatching(
      /^::error title=a\.case violates tx\.data::clause {3}tx\.data, §[^\n]*%0Aexpected 50 %25%0Aactual {3}none%0Ato pass {2}[^\n%]*%0Anpx plumbline conform$/,
    ),
  ])
})

test('inconclusive cases and those that never ran are warnings; the rest is silent', () => {
  const lines = annotationsOf(
    untold('a.case', 'no response'),
    row({ id: 'late', status: 'inconclusive', notes: ['skipped: the run was over'] }),
    row({ id: 'good' }),
    row({ id: 'other', status: 'not-applicable' }),
    row({ id: 'seen', status: 'observed' }),
  )
  expect(lines.map((line) => line.slice(0, 24))).toEqual([
    '::warning title=a.case::',
    '::warning title=late::sk',
  ])
})

test('each cause has one annotation, and errors come first', () => {
  const lines = annotationsOf(
    untold('slow', 'no response'),
    failed('one', 'tx.data'),
    failed('two', 'tx.to'),
    failed('three', 'tx.data'),
  )
  expect(lines.map((line) => line.split('::')[1])).toEqual([
    'error title=one violates tx.data',
    'error title=two violates tx.to',
    'warning title=slow',
  ])
  expect(lines[0]).toContain('%0Aand 1 more case with this cause%0A')
})

test('of many causes nine are shown, and a tenth annotation counts the others', () => {
  const many = Array.from({ length: 380 }, (_, index) => untold(`case-${index}`, `reason ${index % 38}`))
  const lines = annotationsOf(...many, failed('one', 'tx.data'))
  expect(lines).toHaveLength(10)
  expect(lines[0]).toMatch(/^::error title=one /)
  expect(lines.at(-1)).toBe(
    '::warning title=30 more causes::300 more results did not pass, with 30 causes. report.html shows all of them.',
  )
  // Ten causes need no count.
  expect(annotationsOf(...many.slice(0, 10)).at(-1)).toMatch(/^::warning title=case-9::/)
})

test('what the baseline excuses is not annotated, and its outdated entries are one error', () => {
  const stale = [exampleEntry('gone'), exampleEntry('lost')]
  const baseline = { excused: [exampleEntry('one')], unexcused: [], stale, expired: [] }
  const lines = toAnnotations(exampleResults([failed('one', 'tx.data')], { baseline }))
  expect(lines).toEqual([
    expect.stringMatching(
      /^::error title=baseline::stale: tx\.data, 2 cases, gone, lost, known \(https:\S+: no longer end as known; take the entries out /,
    ),
  ])
})

test('of a run that is compared only what is new is annotated, and the rest is counted', () => {
  const before = exampleResults([failed('one', 'tx.data'), failed('two', 'tx.to')])
  const after = exampleResults([failed('one', 'tx.data'), failed('three', 'tx.data'), failed('two', 'tx.to')])
  const lines = toAnnotations(after, compareRuns(before, after, 'base'))
  expect(lines).toEqual([
    expect.stringMatching(/^::error title=three violates tx\.data::/),
    '::notice title=as before::1 cause already known from base. report.html shows all of them.',
  ])
  expect(toAnnotations(before, compareRuns(before, before, 'base'))).toHaveLength(1)
})
