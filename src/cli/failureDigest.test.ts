import { expect, test } from 'vitest'
import { describeBlame } from '../reporting/describeFailure.ts'
import type { CaseRow } from '../reporting/results.ts'
import type { RequirementId } from '../spec/requirements/index.ts'
import { digestFailures } from './failureDigest.ts'

const REQUIREMENTS: readonly RequirementId[] = [
  'service.json-bodies',
  'versioning.path',
  'quote.slippage.range',
  'confirm.error-body',
]

function row(id: string, requirement: RequirementId | null, message = 'broken'): CaseRow {
  return {
    id,
    title: id,
    requirements: [],
    status: requirement === null ? 'inconclusive' : 'fail',
    exercised: 0,
    notes: [],
    judged: [],
    failure: {
      requirement,
      message,
      expected: 'this',
      actual: requirement === null ? message : 'that',
      exchanges: [],
      replay: '',
    },
  }
}
const passed = (id: string): CaseRow => ({ ...row(id, null), status: 'pass', failure: null })
const inFull = ({ id }: CaseRow) => [`FULL ${id}`]
const digest = (...rows: CaseRow[]) => digestFailures(rows, inFull).join('\n')

test('nothing is said of what passed', () => {
  expect(digest(passed('a'), passed('b'))).toBe('')
})

test('one or two failures stand there in full', () => {
  expect(digest(row('a', null), passed('b'), row('c', 'versioning.path'))).toBe('FULL a\nFULL c')
})

test('cases that break the same requirement are one, with the first in full', () => {
  const text = digest(
    row('a', 'versioning.path'),
    row('b', 'quote.slippage.range'),
    row('c', 'quote.slippage.range'),
    row('d', 'quote.slippage.range'),
    row('e', 'quote.slippage.range'),
    row('f', 'confirm.error-body'),
  )
  expect(text.split('\n')).toEqual([
    '',
    'fix first, 3 causes:',
    '  1. quote.slippage.range: ends 4 cases that test 1 requirement',
    '  2. confirm.error-body: ends 1 case that tests 1 requirement',
    '  3. versioning.path: ends 1 case that tests 1 requirement',
    'FULL b',
    '  3 more in the same way: c, d, and 1 more',
    'FULL f',
    '',
    'fail versioning.path, §9: a',
    '  expected this',
    '  actual   that',
  ])
})

test('what could not be told stands together by its reason, and never in full among many', () => {
  const rows = [1, 2, 3].map((n) => row(`twin-${n}`, null, 'the twin is not served\nand more'))
  expect(digest(...rows, row('budget', null, 'x'.repeat(400)))).toBe(
    [
      '',
      'inconclusive, Plumbline could not judge: twin-1, twin-2, and 1 more',
      '  expected this',
      '  actual   the twin is not served',
      'inconclusive, Plumbline could not judge: budget',
      '  expected this',
      `  actual   ${'x'.repeat(160)}…`,
    ].join('\n'),
  )
})

test('a target that serves nothing to judge is not said to be silent', () => {
  const unserved = (status: number): CaseRow => {
    const plain = row('refusal', null, 'nothing is priced')
    if (plain.failure === null) throw new TypeError('the row failed')
    const request = { method: 'GET', path: '/api/v1/quote', headers: {}, body: null }
    const exchanges = [{ request, response: { status, headers: {}, body: '' } }]
    return { ...plain, failure: { ...plain.failure, blame: 'target', exchanges } }
  }
  expect(describeBlame(unserved(200))).toBe('the target served nothing to judge')
  expect(describeBlame(unserved(0))).toBe('the target did not respond')
})

test('four hundred failures of four hundred kinds fit on a screen, and none is uncounted', () => {
  const rows = Array.from({ length: 400 }, (_, index) =>
    row(`case-${index}`, index < 4 ? (REQUIREMENTS[index] ?? null) : null, `reason ${index}`),
  )
  const lines = digestFailures(rows, inFull)
  expect(lines.length).toBeLessThan(20)
  expect(lines.at(-1)).toBe('  and 392 more')
})

test('a requirement that another broken one explains comes last, with what explains it', () => {
  const text = digest(
    row('a', 'limits.slippage'),
    row('b', 'limits.slippage'),
    row('c', 'quote.response.shape'),
    row('d', 'quote.slippage.range'),
    row('e', 'versioning.path'),
  )
  expect(text.split('\n')).toEqual([
    '',
    'fix first, 2 causes:',
    // What the other two cases break follows from it.
    '  1. quote.slippage.range: ends 4 cases that test 3 requirements',
    '  2. versioning.path: ends 1 case that tests 1 requirement',
    'FULL d',
    'FULL e',
    '',
    'fail quote.response.shape, §4.1: c; perhaps because quote.slippage.range is broken',
    '  expected this',
    '  actual   that',
    'fail limits.slippage, §8: a, b; perhaps because quote.slippage.range is broken',
    '  expected this',
    '  actual   that',
  ])
})
