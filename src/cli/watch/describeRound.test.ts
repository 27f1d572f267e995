import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { CaseResult, Results } from '../../reporting/results.ts'
import { describeEnd, describeTrigger, type RoundEnd } from './describeRound.ts'
import type { Trigger } from './triggers.ts'

const row = (id: string, status: CaseResult['status']): CaseResult => ({
  ...{ id, title: `the case ${id}`, requirements: [], status, exercised: 1, notes: [], judged: [] },
  failure:
    status === 'fail'
      ? {
          blame: 'target',
          ...{ requirement: 'quote.amount.positive', message: 'broken', exchanges: [], replay: 'npx again' },
          ...{ expected: 'status 400', actual: 'status 500' },
        }
      : null,
})
const ROWS = [row('a', 'pass'), row('b', 'fail')]
const CHANGE: Trigger = { event: 'the change', changed: ['a.py', 'b.py', 'c.py', 'd.py'], atMs: 5 }

const doneWith = (baseline: object | null): RoundEnd => ({
  ...{ kind: 'done', tookMs: 2_345 },
  result: {
    ...{ verdict: 'does-not-conform', baseline, requirements: [], floors: [], suites: [] },
  } as unknown as Results,
})
const linesOf = (end: RoundEnd, rows: readonly CaseResult[], named: readonly string[] = []) =>
  describeEnd(end, CHANGE, rows, new Set(named)).flatMap((line) => stripVTControlCharacters(line).split('\n'))

test('a round begins with what changed, or with the key for it', () => {
  expect(describeTrigger(CHANGE)).toBe('changed: a.py, b.py, c.py and 1 more')
  expect(describeTrigger({ ...CHANGE, event: 'Enter' })).toBe('running all cases again')
})

test('a failure of a case in the baseline is shown if it is not the known one', () => {
  const shownWith = (excused: readonly object[]) => {
    const baseline = { excused, unexcused: 0, stale: [], differs: [], expired: [], added: [] }
    return linesOf(doneWith(baseline), ROWS, ['b']).includes('  actual   status 500')
  }
  expect(shownWith([])).toBe(true)
  expect(shownWith([{ case: 'b' }])).toBe(false)
})

test('a service that is down is shown with its last output, and without what a baseline excuses', () => {
  const output = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')
  const lines = linesOf({ kind: 'down', why: 'its process ended', output }, ROWS, ['b'])
  expect(lines).toContain('the service is down: its process ended')
  expect(lines).not.toContain('  line 17')
  expect(lines).toContain('  line 29')
  expect(lines.join('\n')).not.toContain('status 500')
})
