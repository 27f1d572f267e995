import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { CaseResult, Results } from '../../reporting/results.ts'
import type { RoundView } from './rounds.ts'
import { plainScreen, terminalScreen } from './screen.ts'

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
const VIEW: RoundView = {
  ...{
    changed: ['a.py', 'b.py', 'c.py', 'd.py'],
    isAgain: false,
    atMs: 5,
    total: 9,
    rows: [],
    running: new Map(),
  },
  first: { total: 0, rows: [], tookMs: null },
  state: { kind: 'running' },
}
const HEADING = { paths: ['src'], excused: new Set<string>() }

/** What is called again and again, until it is stopped. */
function ticking() {
  const acts = new Map<() => void, number>()
  const repeat = (periodMs: number, act: () => void) => {
    acts.set(act, periodMs)
    return () => acts.delete(act)
  }
  const tick = () => {
    for (const act of acts.keys()) act()
  }
  return { acts, repeat, tick }
}

function plain(heading = HEADING, nowMs = () => 0) {
  const lines: string[] = []
  const keep = (line: string) => lines.push(...stripVTControlCharacters(line).split('\n'))
  const { acts, repeat, tick } = ticking()
  return { lines, acts, tick, screen: plainScreen({ out: keep, err: keep }, heading, nowMs, repeat) }
}

test('without a terminal each thing that happens is said once', () => {
  const { lines, screen } = plain()
  const first = { total: 1, rows: [row('a', 'pass')], tookMs: 900 }
  const rows = [row('a', 'pass'), row('b', 'fail')]
  screen.show(VIEW)
  screen.show({ ...VIEW, rows: rows.slice(0, 1), first })
  screen.show({ ...VIEW, rows, first })
  const result = { verdict: 'does-not-conform', baseline: null, requirements: [], floors: [], suites: [] }
  screen.show({
    ...VIEW,
    ...{ rows, first, state: { kind: 'done', result: result as unknown as Results, tookMs: 2_345 } },
  })
  screen.idle()
  expect(lines.slice(0, 4)).toEqual([
    'watching src; Ctrl-C ends',
    'changed: a.py, b.py, c.py and 1 more',
    'of the cases that failed before, 1 of 1 pass, 0.9 s after the change',
    'does not conform, 2.3 s after the change: 1 fail, 1 pass',
  ])
  expect(lines).toContain('  expected status 400')
  expect(lines).toContain('  actual   status 500')
  expect(lines.at(-1)).toBe('waiting for a change')
})

test('a failure of a case that the baseline names is shown where it is not the one that is known', () => {
  const shownWith = (excused: readonly object[]) => {
    const { lines, screen } = plain({ ...HEADING, excused: new Set(['b']) })
    const rows = [row('a', 'pass'), row('b', 'fail')]
    const baseline = { excused, unexcused: 0, stale: [], differs: [], expired: [], added: [] }
    const result = { verdict: 'does-not-conform', baseline, requirements: [], floors: [], suites: [] }
    const state = { kind: 'done' as const, result: result as unknown as Results, tookMs: 1 }
    screen.show({ ...VIEW, rows, state })
    return lines.includes('  actual   status 500')
  }
  expect(shownWith([])).toBe(true)
  expect(shownWith([{ case: 'b' }])).toBe(false)
})

test('a service that is down is shown with the end of what it printed', () => {
  const { lines, screen } = plain()
  const output = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')
  screen.show({ ...VIEW, state: { kind: 'down', why: 'its process ended', output } })
  expect(lines).toContain('the service is down: its process ended')
  expect(lines).not.toContain('  line 17')
  expect(lines).toContain('  line 29')
})

test('what a baseline excuses is not shown among the failures', () => {
  const { lines, screen } = plain({ ...HEADING, excused: new Set(['b']) })
  screen.show({ ...VIEW, rows: [row('b', 'fail')], state: { kind: 'down', why: 'gone', output: '' } })
  expect(lines.join('\n')).not.toContain('status 500')
})

test('a terminal shows one screen, no longer than it is, and is not drawn on at every case', () => {
  const written: string[] = []
  let nowMs = 1_000
  const stream = { columns: 40, rows: 8, write: (text: string) => written.push(text) > 0 }
  const screen = terminalScreen(stream, HEADING, () => nowMs, ticking().repeat)
  const rows = [row('a', 'fail'), row('b', 'fail'), row('c', 'fail')]
  screen.show(VIEW)
  screen.show({ ...VIEW, rows: rows.slice(0, 1) })
  expect(written).toHaveLength(1)
  nowMs += 100
  screen.show({ ...VIEW, rows })
  expect(written).toHaveLength(2)
  const shown = stripVTControlCharacters(written[1] ?? '').trimEnd()
  expect(shown).toContain('3 of 9: 3 fail')
  const taken = shown.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 40)), 0)
  expect(taken).toBeLessThanOrEqual(8)
  expect(shown).toMatch(/… \d+ more lines$/)
  screen.written('out/report.html')
  screen.idle()
  const waiting = stripVTControlCharacters(written[2] ?? '').trimEnd()
  expect(waiting).toMatch(/… \d+ more lines\nwaiting for a change; open out\/report.html$/)
  screen.show({ ...VIEW, rows: [] })
  expect(written[3]).not.toContain('waiting')
  screen.idle()
  expect(written[4]).not.toContain('report.html')
})

test('the seconds of a round that Enter began count from there', () => {
  const { lines, screen } = plain()
  const first = { total: 1, rows: [row('a', 'pass')], tookMs: 900 }
  screen.show({ ...VIEW, changed: null, isAgain: true, first })
  expect(lines.slice(1)).toEqual([
    'running all cases again',
    'of the cases that failed before, 1 of 1 pass, 0.9 s after Enter',
  ])
})

test('while nothing ends a log says every ten seconds which cases run, and for how long', () => {
  let nowMs = 20_000
  const { lines, acts, tick, screen } = plain(HEADING, () => nowMs)
  const running = new Map(['slow', 'other', 'third'].map((id) => [id, 20]))
  screen.show({ ...VIEW, rows: [row('a', 'pass')], running })
  expect([...acts.values()]).toEqual([10_000])
  nowMs += 10_000
  tick()
  expect(lines.slice(2)).toEqual(['1 of 9: 1 pass', 'running slow, other, and 1 more for 10 s'])
  screen.show({ ...VIEW, state: { kind: 'down', why: 'gone', output: '' } })
  expect(acts.size).toBe(0)
})

test('a terminal shows every second which cases run, until the round is over', () => {
  const written: string[] = []
  let nowMs = 20_000
  const { acts, repeat, tick } = ticking()
  const stream = { columns: 80, rows: 24, write: (text: string) => written.push(text) > 0 }
  const screen = terminalScreen(stream, HEADING, () => nowMs, repeat)
  screen.show(VIEW)
  expect(written.at(-1)).toContain('starting the service')
  screen.show({ ...VIEW, running: new Map([['slow', 20]]) })
  nowMs += 4_000
  tick()
  expect(written.at(-1)).toContain('0 of 9\nrunning slow for 4 s\n')
  screen.show({ ...VIEW, state: { kind: 'down', why: 'gone', output: '' } })
  expect(acts.size).toBe(0)
})
