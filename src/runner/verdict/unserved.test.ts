import { expect, test } from 'vitest'
import { exampleCase } from '../../reporting/testing/exampleResults.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { exampleVerdict } from '../testing/testCases.ts'
import { withoutUnserved, withUnserved } from './unserved.ts'

const sent = (path: string, status: number) => ({
  request: { method: 'POST', path, headers: {}, body: '{}' },
  response: { status, headers: {}, body: '{}' },
})
const judged = (requirement: string, passed: number, failed: number) => ({
  ...{ requirement, passed, failed, observed: 0, venues: [], boundaryClasses: [], observations: [] },
})
/** Returns a case that a build with this status ended. */
const ended = (id: string, status: number): CaseResult =>
  exampleCase(id, {
    status: 'fail',
    judged: [judged('route.engine', 1, 0), judged('build.market.refused', 0, 1)],
    failure: {
      ...{ blame: 'target', requirement: 'build.market.refused', message: '', expected: '', actual: '' },
      ...{ exchanges: [sent('/api/v1/swap/build', status)], replay: '' },
    },
  })
const CASES = [ended('quote.market', 404), ended('build.refuses', 404), exampleCase('quote.served')]
const endings = (patterns: readonly string[], cases: readonly CaseResult[] = CASES) =>
  withoutUnserved(cases, patterns).map(({ status }) => status)

test('cases of quote that need a build which is not served do not apply', () => {
  expect(endings(['quote.*'])).toEqual(['not-applicable', 'not-applicable', 'pass'])
  const [first] = withoutUnserved(CASES, ['quote.*'])
  expect(first?.notes).toEqual(['needs POST /api/v1/swap/build, which is not served'])
  expect(first?.judged.map(({ requirement }) => requirement)).toEqual(['route.engine'])
})

test.each([
  ['build.*'],
  ['quote.market', 'build.refuses'],
  ['4.2'],
  ['limits.slippage'],
  ['service.json-bodies'],
])('choosing %s %s demands a build', (...patterns) => {
  expect(endings(patterns)).toEqual(['fail', 'fail', 'pass'])
})

test('choosing nothing demands every endpoint', () => {
  expect(endings([])).toEqual(['fail', 'fail', 'pass'])
})

test('a build that is served sometimes is demanded', () => {
  expect(endings(['quote.*'], [...CASES, ended('quote.other', 422)])).toEqual([
    'fail',
    'fail',
    'pass',
    'fail',
  ])
})

test('a requirement that such a case left open names the endpoint, and any other its own reason', () => {
  const verdict = (stoppedBy: string | null) => exampleVerdict('inconclusive', { reason: 'why', stoppedBy })
  const reasons = withUnserved([verdict('build.refuses'), verdict('quote.served'), verdict(null)], CASES)
  expect(reasons.map(({ reason }) => reason)).toEqual([
    'needs POST /api/v1/swap/build, which is not served',
    'why',
    'why',
  ])
})
