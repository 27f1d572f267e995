import { rmSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { withNewEntries } from '../reporting/baseline.ts'
import type { Baseline } from '../reporting/baselineFormat.ts'
import type { CaseResult } from '../reporting/results.ts'
import { exampleCase } from '../reporting/testing/exampleResults.ts'
import type { Verdicts } from '../reporting/verdicts.ts'
import type { Outcome, RunRequest } from '../runner/run/runRequest.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { outcomeOf } from '../runner/verdict/outcome.ts'
import { caseEnds } from '../runner/verdict/result.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { writeRun } from './report/writeRun.ts'
import { appendStepSummary } from './run/keepResults.ts'
import { endRun, showOutcome } from './run/show.ts'
import { guarded } from './terminal/output.ts'
import { plumbline } from './testing/plumbline.ts'
import { quotesBelowZero } from './testing/quotesBelowZero.ts'

const folder = temporaryFolder()
let server: TestServer | undefined
afterEach(() => server?.stop())

test('a run past its timeout keeps its verdicts, reports no violation, and sends nothing more', async () => {
  const [TIME_S, ANSWER_AFTER_MS] = [1, 250]
  let asked = 0
  const answer = quotesBelowZero(400)
  server = await serve((request, response) => {
    if (request.url?.startsWith('/api/v1/quote?') === true) asked += 1
    // The first case has ended before the target slows down.
    if (asked <= 2) answer(request, response)
    else setTimeout(() => answer(request, response), ANSWER_AFTER_MS)
  })
  const target = ['--target', server.url, '--profile', 'http', '--out', folder.path]
  const only = ['--only', 'quote.amount.positive', 'quote.amount.required', 'quote.slippage.range']
  const { code, text } = await plumbline('conform', ...target, ...only, '--timeout', `${TIME_S}`)
  const { cases } = JSON.parse(folder.read('verdicts.json')) as Verdicts

  expect(code).toBe(EXIT.inconclusive)
  const [first, ...others] = cases.filter(({ status }) => status !== 'not-applicable')
  expect(first?.status).toBe('pass')
  expect(others.map(({ status }) => status)).not.toContain('fail')
  expect(others.at(-1)?.status).toBe('inconclusive')
  const blamed = others.flatMap(({ blame }) => (blame === null ? [] : [blame]))
  expect(blamed).toEqual(blamed.map(() => 'harness'))
  expect(text).toContain('the time of the run')
  expect(asked).toBeLessThanOrEqual(2 + (TIME_S * 1_000) / ANSWER_AFTER_MS)
  expect(others.length * 2).toBeGreaterThan(asked)
})

test('a baseline is written from a run, and the same run conforms with it', async () => {
  server = await serve(quotesBelowZero(200))
  const target = ['--target', server.url, '--profile', 'http', '--out', folder.path]
  const only = ['--only', 'quote.refuses.amount.*']
  const run = (...more: string[]) => plumbline('conform', ...target, ...only, ...more)
  const known = ['--baseline', folder.at('known.json')]
  const why = ['--reason', 'later', '--link', 'https://example.com/1', '--expires', '2099-01-01']
  const baseline = (action: string, ...more: string[]) =>
    plumbline('baseline', action, folder.path, ...known, ...more)
  expect((await run()).code).toBe(EXIT['does-not-conform'])
  expect((await baseline('check')).text).toContain('there is no such baseline')
  expect((await baseline('add', ...why, '--only', 'quote.refuses.*')).text).toContain('2 known failures in ')
  const { code, lines } = await run(...known)
  expect(code).toBe(EXIT.conforms)
  expect(lines.at(-1)).toBe(`holds its baseline: 2 known failures; open ${folder.path}/report.html`)
  expect(JSON.parse(folder.read('about.json')).replay).toContain(`--baseline ${folder.at('known.json')}`)
  expect((await baseline('add', ...why)).text).toContain('0 entries added, 0 removed')
  const held = await baseline('check')
  expect(held.code).toBe(EXIT.conforms)
  expect(held.lines.at(-1)).toBe('holds its baseline: 2 known failures')

  // Once it is fixed, the entries are removed, and none is added.
  await server.stop()
  server = await serve(quotesBelowZero(400))
  const fixed = ['--target', server.url, '--profile', 'http', '--out', folder.path, ...only]
  expect((await plumbline('conform', ...fixed)).code).toBe(EXIT.conforms)
  const stale = await baseline('check')
  expect(stale.code).toBe(EXIT['does-not-conform'])
  expect(stale.text).toContain('take them out with plumbline baseline update')
  expect((await baseline('update')).text).toContain('0 known failures in ')
  expect((await baseline('check')).code).toBe(EXIT.conforms)
})

test('an entry needs its reason, its link and a day to come', async () => {
  const why = { reason: 'later', link: 'https://example.com/1', expires: '2099-01-01' }
  const add = (given: Partial<typeof why>) =>
    plumbline(
      ...['baseline', 'add', folder.path],
      ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]),
    )
  for (const [given, problem] of [
    [{ link: why.link, expires: why.expires }, "'--reason <text>' not specified"],
    [{ ...why, link: 'later' }, 'the address of an issue is needed'],
    [{ ...why, expires: '2020-01-01' }, 'this day is over'],
  ] as const) {
    const { code, text } = await add(given)
    expect(code).toBe(EXIT.usage)
    expect(text).toContain(problem)
  }
})

const WHY = { reason: 'being repaired', link: 'https://example.com/1', expires: '2099-01-01' }
const TODAY = '2026-06-15'
const NOTHING: Baseline = { schema: 'plumbline-baseline/1', entries: [] }
const judged = (requirement: string, passed: number, failed: number) => ({
  ...{ requirement, passed, failed, observed: 0, venues: [], boundaryClasses: [], observations: [] },
})
const passes = (id: string) => exampleCase(id, { judged: [judged('tx.to', 1, 0)] })
const exchange = (status: number) => ({
  request: { method: 'POST', path: '/api/v1/swap/build', headers: {}, body: null },
  response: { status, headers: {}, body: '{}' },
})
const fails = (id: string, actual: string): CaseResult =>
  exampleCase(id, {
    status: 'fail',
    judged: [judged('tx.data', 0, 1)],
    failure: {
      ...{ blame: 'target', requirement: 'tx.data', message: `actual ${actual}`, expected: 'status 400' },
      ...{ actual, exchanges: [exchange(200)], replay: '' },
    },
  })
const isOpen = (id: string, status: number): CaseResult =>
  exampleCase(id, {
    status: 'inconclusive',
    failure: {
      ...{
        blame: 'target',
        requirement: null,
        message: `no build: status ${status}`,
        expected: 'a response',
      },
      ...{ actual: `no build: status ${status}`, exchanges: [exchange(status)], replay: '' },
    },
  })

/** Returns the outcome of a run with these cases. */
function outcome(cases: readonly CaseResult[], baseline: RunRequest['baseline'] = null): Outcome {
  const target = { name: 'it', baseUrl: 'http://127.0.0.1:1/', reach: 'http' as const }
  return outcomeOf(
    {
      ...{ command: 'conform', suites: [], target: { url: 'http://127.0.0.1:1/' }, options: {}, seed: 1 },
      ...{ replay: ({ id }) => id, baseline },
    },
    {
      target: { ...target, capabilities: new Set(), secrets: [] },
      suites: [{ name: 'conformance', cases }],
      whole: false,
    },
  )
}

const knownOf = (cases: readonly CaseResult[]): Baseline => withNewEntries(caseEnds(cases), NOTHING, WHY)

const FAILED = [fails('one', 'status 200'), fails('two', 'status 200'), passes('three')]
const OPEN = [isOpen('one', 500), isOpen('two', 500), passes('three')]

// src/reporting/baseline.test.ts has each way in which an entry excuses a case or does not.
test.each<[string, readonly CaseResult[], readonly CaseResult[], Outcome['result']['verdict'], object]>([
  ['known failures', FAILED, FAILED, 'conforms', { excused: 2 }],
  ['a repaired failure', FAILED, FAILED.with(0, passes('one')), 'does-not-conform', { stale: 1 }],
  ['cases known to be inconclusive', OPEN, OPEN, 'conforms', { excused: 2 }],
  ['one without a response', OPEN, OPEN.with(0, isOpen('one', 0)), 'inconclusive', { excused: 1 }],
  ['nothing but what is excused', OPEN, OPEN.slice(0, 2), 'inconclusive', { excused: 2 }],
])('with a baseline: %s', (_what, before, after, verdict, counts) => {
  const { result } = outcome(after, { known: knownOf(before), today: TODAY })
  const { excused = [], stale = [] } = result.baseline ?? {}
  expect(result.verdict).toBe(verdict)
  expect({ excused: excused.length, stale: stale.length }).toMatchObject(counts)
  // Excused is not passed: the results keep the status of each case.
  expect(result.suites[0]?.cases.map(({ status }) => status)).toEqual(after.map(({ status }) => status))
})

test('an inconclusive case without a response is not written into a baseline', () => {
  expect(knownOf([isOpen('one', 500), isOpen('two', 0)]).entries).toMatchObject([
    { case: 'one', inconclusive: 'no build: status 500' },
  ])
})

/** Prints an outcome as a run does, and writes its files. */
async function shown(ended: Outcome) {
  const lines: string[] = []
  const keep = (line: string) => lines.push(line)
  const output = guarded({ out: keep, err: keep })
  const options = { annotations: true, profile: 'http' as const, out: folder.path }
  await showOutcome(ended, options, { json: null, service: null, change: null }, output)
  const run = { replay: 'npx plumbline conform', baseUrl: null, durationMs: 1 }
  const write = () => writeRun(ended, folder.path, { run, change: null, record: null }, output)
  const ending = await endRun(ended.result, write, options, output)
  return { ending, text: lines.join('\n') }
}

describe('every output says the same', () => {
  test.each([
    ['2 known failures', FAILED, 'tx.data: 2 cases, one, two'],
    ['2 cases known to be inconclusive', OPEN, 'no build: status 500'],
  ])('of %s', async (headline, cases, cause) => {
    const { ending, text } = await shown(outcome(cases, { known: knownOf(cases), today: TODAY }))
    const check = () => {
      expect(folder.read('report.html')).toContain(`>Holds its baseline: ${headline}</h1>`)
      expect(folder.read('report.html')).not.toMatch(/class="mark is-fail"|"status":"fail"/)
      expect(folder.read('junit.xml')).toContain('failures="0" errors="0" skipped="2"')
      expect(folder.read('summary.md')).toContain(`# Holds its baseline: ${headline}`)
      for (const name of ['report.html', 'junit.xml', 'summary.md', 'comment.md'])
        for (const part of Object.values(WHY)) expect(folder.read(name).replaceAll('\\', '')).toContain(part)
    }
    check()
    expect(ending).toBe('conforms')
    expect(text).toContain(`\nholds its baseline: ${headline}; open ${folder.path}/report.html`)
    expect(text).toContain(cause)
    expect(text).not.toMatch(/^::/m)
    expect(JSON.parse(folder.read('verdicts.json'))).toMatchObject({ exitCode: EXIT.conforms })
    // Rendering it again does not need the baseline.
    const { code, text: again } = await plumbline('report', folder.path)
    expect(code).toBe(EXIT.conforms)
    expect(again).toContain(headline)
    check()
    expect((await plumbline('diff', folder.path, folder.path)).code).toBe(EXIT.conforms)
  })

  test('of entries that are outdated: no case failed, but they do', async () => {
    const repaired = [passes('one'), passes('two'), passes('three')]
    const { ending, text } = await shown(outcome(repaired, { known: knownOf(FAILED), today: TODAY }))
    expect(ending).toBe('does-not-conform')
    expect(text).toContain(
      'does not conform: 2 stale entries of the baseline; take them out with plumbline baseline update; open ',
    )
    expect(folder.read('junit.xml')).toContain('failures="2" errors="0"')
    for (const name of ['report.html', 'summary.md'])
      expect(folder.read(name)).toMatch(/2 cases, .*: no longer end as known/)
  })
})

test('the comment on a run is appended to the summary of its CI step, and a failure to write it is reported', () => {
  const errors: string[] = []
  const output = { out: () => {}, err: (line: string) => errors.push(line) }
  vi.stubEnv('GITHUB_STEP_SUMMARY', folder.write('step.md', 'of an earlier step\n'))
  appendStepSummary('# A comment', output)
  expect(folder.read('step.md')).toBe('of an earlier step\n# A comment\n')
  vi.stubEnv('GITHUB_STEP_SUMMARY', folder.path)
  appendStepSummary('# A comment', output)
  expect(errors.join()).toContain('the step summary')
  rmSync(folder.at('step.md'))
})
