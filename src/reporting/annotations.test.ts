import { expect, test } from 'vitest'
import { toAnnotations } from './annotations.ts'
import type { CaseResult } from './results.ts'
import { exampleCase, exampleResults } from './testing/exampleResults.ts'

const row = (more: Partial<CaseResult>) => exampleCase(more.id ?? 'a.case', more)
const failure = {
  blame: 'target' as const,
  ...{ requirement: 'tx.data', message: 'expected 50 %\nactual none', expected: '50 %', actual: 'none' },
  ...{ exchanges: [], replay: 'npx plumbline conform' },
}
const failed = (id: string, requirement: string) =>
  row({ id, status: 'fail', failure: { ...failure, requirement } })
const untold = (id: string, message: string) =>
  row({ id, status: 'inconclusive', failure: { ...failure, requirement: null, message } })
const annotationsOf = (...cases: CaseResult[]) => toAnnotations(exampleResults(cases))

test('a failure is an error with its requirement, on one line whatever its text', () => {
  expect(annotationsOf(row({ status: 'fail', failure }))).toEqual([
    expect.stringMatching(
      /^::error title=a\.case violates tx\.data::clause {3}tx\.data, §[^\n]*%0Aexpected 50 %25%0Aactual {3}none%0Anpx plumbline conform$/,
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
    'error title=two violates tx.to',
    'error title=one violates tx.data',
    'warning title=slow',
  ])
  expect(lines[1]).toContain('%0Aand 1 more case with this cause%0A')
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

const KNOWN = {
  ...{ case: 'one', requirement: 'tx.data', fingerprint: '0123456789abcdef', reason: 'known' },
  ...{ link: 'https://example.com/1', expires: '2099-01-01' },
}
const COMPARED = { excused: [KNOWN], unexcused: [], stale: [], expired: [] }

test('what the baseline excuses is a notice, and its outdated entries are one error', () => {
  const stale = [
    { ...KNOWN, case: 'gone' },
    { ...KNOWN, case: 'lost' },
  ]
  const baseline = { ...COMPARED, stale }
  const lines = toAnnotations(exampleResults([failed('one', 'tx.data')], { baseline }))
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(
    /^::error title=baseline::stale: tx\.data, 2 cases, gone, lost, known \(https:\S+: no longer end as known; take the entries out /,
  )
  expect(lines[1]).toBe(
    '::notice title=1 case excused by the baseline::tx.data: 1 case, one; until 2099-01-01: known (https://example.com/1)',
  )
})

test('causes of what is excused are a line each, however many other annotations there are', () => {
  const excused = Array.from({ length: 3 }, (_, index) => ({
    ...KNOWN,
    ...{ case: `case-${index}`, reason: `reason ${index}` },
  }))
  const failing = Array.from({ length: 30 }, (_, index) => untold(`slow-${index}`, `reason ${index}`))
  const lines = toAnnotations(exampleResults(failing, { baseline: { ...COMPARED, excused } }))
  expect(lines).toHaveLength(11)
  expect(lines.at(-1)).toMatch(/^::notice title=3 cases excused by the baseline::(?:[^%]*%0A){2}[^%]*$/)
})
