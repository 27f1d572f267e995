import { expect, test } from 'vitest'
import type { BaselineEntry } from '../baselineFormat.ts'
import type { CaseResult } from '../results.ts'
import { exampleCase, exampleEntry, exampleFailure, exampleResults } from '../testing/exampleResults.ts'
import { compareRuns, judgeChange } from './compareRuns.ts'

function row(id: string, status: CaseResult['status'], actual = '422', exercised = 1): CaseResult {
  const failure = exampleFailure('tx.data', { message: `seen ${actual}`, expected: '400', actual })
  const failed = status === 'fail' || status === 'inconclusive'
  return exampleCase(id, { status, exercised, failure: failed ? failure : null })
}

const run = (...cases: CaseResult[]) => exampleResults(cases)

const NOTHING = {
  against: 'before',
  newFailures: [],
  failsDifferently: [],
  noLongerExcused: [],
  newlyExcused: [],
  newlyInconclusive: [],
  fixed: [],
  vanished: [],
  added: [],
  changedPoints: [],
  changedEvidence: [],
}

test.each([
  ['the same', row('a', 'pass'), row('a', 'pass'), {}, 'no-worse'],
  ['the same failure', row('a', 'fail'), row('a', 'fail'), {}, 'no-worse'],
  ['a new failure', row('a', 'pass'), row('a', 'fail'), { newFailures: ['a'] }, 'worse'],
  [
    'another failure under a known id',
    row('a', 'fail'),
    row('a', 'fail', '500'),
    { failsDifferently: ['a'] },
    'worse',
  ],
  [
    'a case that is no longer conclusive',
    row('a', 'pass'),
    row('a', 'inconclusive'),
    { newlyInconclusive: ['a'] },
    'unclear',
  ],
  [
    'a failure that can no longer be seen',
    row('a', 'fail'),
    row('a', 'inconclusive'),
    { newlyInconclusive: ['a'] },
    'unclear',
  ],
  ['a repaired one', row('a', 'fail'), row('a', 'pass'), { fixed: ['a'] }, 'no-worse'],
  [
    'less evidence',
    row('a', 'pass', '', 9),
    row('a', 'pass', '', 2),
    { changedEvidence: [{ id: 'a', before: 'pass, 9 observations', after: 'pass, 2 observations' }] },
    'no-worse',
  ],
  ['a case that is gone', row('a', 'pass'), row('b', 'pass'), { vanished: ['a'], added: ['b'] }, 'unclear'],
  [
    'a new case that fails',
    row('a', 'pass'),
    row('b', 'fail'),
    { vanished: ['a'], added: ['b'], newFailures: ['b'] },
    'worse',
  ],
] as const)('%s', (_name, before, after, expected, judgement) => {
  const change = compareRuns(run(before), run(after), 'before')
  expect(change).toEqual({ ...NOTHING, ...expected })
  expect(judgeChange(change)).toBe(judgement)
})

test('what a baseline excuses now makes nothing worse, and what it no longer excuses does', () => {
  const excusing = (testCase: CaseResult, more: Partial<BaselineEntry> = {}) => {
    const baseline = { excused: [exampleEntry('a', more)], unexcused: [], stale: [], expired: [] }
    return exampleResults([testCase], { baseline })
  }
  const [passed, failed, changed] = [row('a', 'pass'), row('a', 'fail'), row('a', 'fail', '500')]

  const excused = compareRuns(run(passed), excusing(failed), 'before')
  expect(excused).toEqual({ ...NOTHING, newlyExcused: ['a'] })
  expect(judgeChange(excused)).toBe('no-worse')
  expect(compareRuns(run(failed), excusing(failed), 'before')).toEqual(excused)
  expect(
    compareRuns(excusing(failed), excusing(changed, { fingerprint: 'fedcba9876543210' }), 'before'),
  ).toEqual(excused)
  expect(compareRuns(excusing(failed), excusing(failed), 'before')).toEqual(NOTHING)
  const exposed = compareRuns(excusing(failed), run(failed), 'before')
  expect(exposed).toEqual({ ...NOTHING, noLongerExcused: ['a'] })
  expect(judgeChange(exposed)).toBe('worse')
})
