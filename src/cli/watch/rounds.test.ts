import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { CaseResult, Results } from '../../reporting/results.ts'
import type { Outcome } from '../../runner/run/runRequest.ts'
import { UsageError } from '../../spec/errors.ts'
import { runProgress } from '../terminal/progress.ts'
import { type RoundRun, type WatchPorts, watchRounds } from './rounds.ts'
import { type Key, Triggers } from './triggers.ts'

const row = (id: string, status: CaseResult['status']): CaseResult => ({
  ...{ id, title: id, requirements: [], status, exercised: 1, notes: [], judged: [] },
  failure:
    status === 'fail'
      ? {
          blame: 'target',
          requirement: null,
          message: 'broken',
          expected: '',
          actual: '',
          exchanges: [],
          replay: '',
        }
      : null,
})
const resultOf = (verdict: Results['verdict']) =>
  ({ result: { verdict, baseline: null, requirements: [], floors: [], suites: [] } }) as unknown as Outcome

/** Returns a watch whose time, files, keys and runs the test controls. */
function watched(failed: readonly string[] = []) {
  const lines: string[] = []
  const files = new Set<string>()
  const written = new Set<string>()
  const timers = new Set<() => void>()
  let nowMs = 0
  const runs: {
    readonly round: RoundRun
    readonly end: (outcome: Outcome) => void
    readonly fail: (e: unknown) => void
  }[] = []
  let begun = () => {}
  let idle = () => {}
  const triggers = new Triggers({
    nowMs: () => nowMs,
    after: (_, action) => {
      timers.add(action)
      return () => timers.delete(action)
    },
    exists: (path) => files.has(path),
    isWritten: (path) => written.has(path),
    onIdle: () => idle(),
    onIgnored: (path) => lines.push(`ignored: ${path}`),
  })
  const ports: WatchPorts = {
    nowMs: () => nowMs,
    run: (round) =>
      new Promise((end, fail) => {
        round.signal.addEventListener('abort', () => fail(new Error('given up')))
        runs.push({ round, end, fail })
        begun()
      }),
    describe: (error) => ({ why: String(error), output: '' }),
    begin: () => runProgress({ out: () => {}, err: () => {} }, true),
    say: (line) => lines.push(stripVTControlCharacters(line)),
    keep: async () => {},
  }
  const ending = watchRounds(triggers, ports, failed).then((last) => last?.verdict ?? null)
  return {
    ...{ ending, lines, files, written, timers },
    change: (path: string, isNew = false) => triggers.change(path, isNew),
    press: (key: Key) => triggers.press(key),
    /** Resolves when the watch waits for an event. */
    idle: () =>
      new Promise<void>((resolve) => {
        idle = resolve
      }),
    /** Lets time pass without firing timers. */
    tick: (ms: number) => {
      nowMs += ms
    },
    pass: (ms: number) => {
      nowMs += ms
      for (const action of [...timers]) {
        timers.delete(action)
        action()
      }
    },
    /** Returns the run of this number, once it has started. */
    run: async (number: number) => {
      while (runs.length <= number)
        await new Promise<void>((resolve) => {
          begun = resolve
        })
      const run = runs[number]
      if (run === undefined) throw new RangeError('no such run')
      return run
    },
  }
}

const ranks = (round: RoundRun, ...ids: string[]) => ids.map((id) => round.rank({ id }))

test('what failed in the round before runs first, then what ever failed, then the rest', async () => {
  const watch = watched(['a'])
  const first = await watch.run(0)
  expect(ranks(first.round, 'a', 'b', 'c')).toEqual([0, 2, 2])
  first.round.onResult(row('a', 'pass'))
  first.round.onResult(row('b', 'fail'))
  first.end(resultOf('does-not-conform'))
  watch.change('service.py')
  watch.pass(100)
  const second = await watch.run(1)
  expect(ranks(second.round, 'a', 'b', 'c')).toEqual([1, 0, 2])
  watch.press('end')
  // An aborted round proves nothing.
  expect(await watch.ending).toBe('does-not-conform')
})

test('cases with long waits run after the others, and among them failed ones first', async () => {
  const watch = watched(['slow', 'quick'])
  const { round } = await watch.run(0)
  const cases = [
    { id: 'slow', waitsS: 15 },
    { id: 'quick', waitsS: 2 },
    { id: 'idle', waitsS: 10 },
    { id: 'other' },
  ]
  const order = cases.toSorted((one, other) => round.rank(one) - round.rank(other)).map(({ id }) => id)
  expect(order).toEqual(['quick', 'other', 'slow', 'idle'])
  watch.press('end')
  await watch.ending
})

test('a failed case that becomes inconclusive still counts as failed', async () => {
  const watch = watched(['a'])
  const first = await watch.run(0)
  first.round.onResult(row('a', 'inconclusive'))
  first.end(resultOf('inconclusive'))
  watch.press('again')
  expect(ranks((await watch.run(1)).round, 'a')).toEqual([0])
  watch.press('end')
  await watch.ending
})

test('several changes together start one round, and the time counts from the first of them', async () => {
  const watch = watched(['a'])
  const first = await watch.run(0)
  first.end(resultOf('conforms'))
  await watch.idle()
  watch.change('a.py')
  watch.change('b.py')
  watch.change('a.py')
  expect(watch.timers.size).toBe(1)
  watch.pass(250)
  const second = await watch.run(1)
  expect(watch.lines.at(-1)).toBe('changed: a.py, b.py')
  second.round.onResult(row('a', 'pass'))
  expect(watch.lines.at(-1)).toBe('of the cases that failed before, 1 of 1 pass, 0.3 s after the change: a')
  watch.press('end')
  await watch.ending
})

test('a change ends the running round, and a new one starts', async () => {
  const watch = watched()
  const first = await watch.run(0)
  watch.change('service.py')
  expect(first.round.signal.aborted).toBe(false)
  watch.pass(100)
  expect(first.round.signal.aborted).toBe(true)
  const second = await watch.run(1)
  const given = ['running all cases', 'given up: there is a newer change', 'changed: service.py']
  expect(watch.lines).toEqual(given)
  second.end(resultOf('conforms'))
  watch.press('end')
  expect(await watch.ending).toBe('conforms')
})

test('a service that crashes or does not start is shown, and waited for', async () => {
  const watch = watched()
  const first = await watch.run(0)
  first.round.onGone('its process ended (exit code 1)', 'its last words')
  expect(first.round.signal.aborted).toBe(true)
  watch.change('service.py')
  watch.pass(100)
  const second = await watch.run(1)
  expect(watch.lines).toContain('the service is down: its process ended (exit code 1)')
  expect(watch.lines).toContain('  its last words')
  second.fail(new Error('not ready'))
  await watch.idle()
  watch.press('again')
  const third = await watch.run(2)
  expect(watch.lines.slice(-2)).toEqual(['the service is down: Error: not ready', 'running all cases again'])
  third.end(resultOf('conforms'))
  watch.press('end')
  expect(await watch.ending).toBe('conforms')
})

test('wrong usage in the first round ends the watch', async () => {
  const watch = watched()
  const first = await watch.run(0)
  first.fail(new UsageError('wrong', 'Put it right.'))
  await expect(watch.ending).rejects.toThrow('wrong')
})

test('a temporary file of an editor starts no round, but the file that it replaces does', async () => {
  const watch = watched()
  const first = await watch.run(0)
  first.end(resultOf('conforms'))
  await watch.idle()
  watch.change('a.py.new', true)
  watch.pass(100)
  expect(watch.lines.at(-1)).toMatch(/^conforms/)
  watch.change('a.py.new', true)
  watch.change('a.py')
  watch.change('a.py.new')
  watch.change('b.py', true)
  watch.files.add('b.py')
  watch.pass(100)
  await watch.run(1)
  expect(watch.lines.at(-1)).toBe('changed: a.py, b.py')
  watch.press('end')
  await watch.ending
})

test.each([
  ['a log that each request writes', 'access.log', [100, 100, 100, 100]],
  ['a source that a generator writes all the time', 'generated.ts', [60, 60, 60, 60]],
])('%s starts no further round', async (_, path, pausesMs) => {
  const watch = watched()
  await watch.run(0)
  for (const ms of pausesMs) {
    watch.change(path)
    watch.tick(ms)
  }
  expect(watch.lines.filter((line) => line.startsWith('ignored'))).toEqual([`ignored: ${path}`])
  watch.pass(200)
  watch.press('end')
  await watch.ending
})

test('a file written at the start of three rounds in a row starts no fourth, but a source does', async () => {
  const watch = watched()
  for (const round of [0, 1, 2]) {
    await watch.run(round)
    watch.change('data.sqlite')
    watch.change('service.ts')
    watch.pass(200)
  }
  expect(watch.lines.filter((line) => line.startsWith('ignored'))).toEqual(['ignored: data.sqlite'])
  await watch.run(3)
  watch.press('end')
  await watch.ending
})

test('a file that the service has open for writing never starts a round', async () => {
  const watch = watched()
  watch.written.add('data.sqlite')
  await watch.run(0)
  watch.pass(20_000)
  watch.change('data.sqlite')
  expect(watch.lines.at(-1)).toBe('ignored: data.sqlite')
  expect(watch.timers.size).toBe(0)
  watch.press('end')
  await watch.ending
})

test('a file written at about the same time of three rounds in a row starts no fourth', async () => {
  const watch = watched()
  for (const [round, ms] of [20_000, 20_400, 19_900].entries()) {
    await watch.run(round)
    watch.pass(ms)
    watch.change('builds.json')
    watch.pass(100)
  }
  expect(watch.lines.filter((line) => line.startsWith('ignored'))).toEqual(['ignored: builds.json'])
  watch.press('end')
  await watch.ending
})

test('a file that is saved in every round at different times starts the next', async () => {
  const watch = watched()
  for (const [round, ms] of [5_000, 7_000, 4_000, 6_000].entries()) {
    await watch.run(round)
    watch.pass(ms)
    watch.change('config.json')
    watch.pass(200)
  }
  expect(watch.lines.filter((line) => line.startsWith('ignored'))).toEqual([])
  watch.press('end')
  await watch.ending
})
