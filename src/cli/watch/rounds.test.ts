import { expect, test } from 'vitest'
import type { CaseResult, Results } from '../../reporting/results.ts'
import { UsageError } from '../../spec/errors.ts'
import { type RoundRun, type RoundView, type WatchPorts, watchRounds } from './rounds.ts'

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
const resultOf = (verdict: Results['verdict']) => ({ verdict }) as Results

/** Returns a watch whose time, files, keys and runs the test decides. */
function watched(failed: readonly string[] = []) {
  const views: RoundView[] = []
  const timers = new Set<() => void>()
  let nowMs = 0
  let change: (path: string) => void = () => {}
  let press: (key: 'again' | 'end') => void = () => {}
  const runs: {
    readonly round: RoundRun
    readonly end: (result: Results) => void
    readonly fail: (e: unknown) => void
  }[] = []
  let begun = () => {}
  let idle = () => {}
  const ports: WatchPorts = {
    nowMs: () => nowMs,
    after: (_, action) => {
      timers.add(action)
      return () => timers.delete(action)
    },
    onChange: (listener) => {
      change = listener
    },
    onKey: (listener) => {
      press = listener
    },
    run: (round) =>
      new Promise((end, fail) => {
        round.signal.addEventListener('abort', () => fail(new Error('given up')))
        runs.push({ round, end, fail })
        begun()
      }),
    describe: (error) => ({ why: String(error), output: '' }),
    show: (view) => views.push(view),
    keep: async () => {},
    idle: () => idle(),
  }
  const ending = watchRounds(ports, failed)
  return {
    ending,
    views,
    timers,
    last: () => views.at(-1),
    change: (path: string) => change(path),
    press: (key: 'again' | 'end') => press(key),
    /** Resolves when nothing is left to do. */
    idle: () =>
      new Promise<void>((resolve) => {
        idle = resolve
      }),
    pass: (ms: number) => {
      nowMs += ms
      for (const action of [...timers]) {
        timers.delete(action)
        action()
      }
    },
    /** Returns the run of this number, once it began. */
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
  // The round that was given up proves nothing.
  expect(await watch.ending).toBe('does-not-conform')
})

test('what waits long in real time runs after what does not, among such cases what failed first', async () => {
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

test('a case that is not judged any more still counts as one that failed', async () => {
  const watch = watched(['a'])
  const first = await watch.run(0)
  first.round.onResult(row('a', 'inconclusive'))
  first.end(resultOf('inconclusive'))
  watch.press('again')
  expect(ranks((await watch.run(1)).round, 'a')).toEqual([0])
  watch.press('end')
  await watch.ending
})

test('several changes at once are one round, and the time counts from the first of them', async () => {
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
  expect(watch.last()).toMatchObject({ changed: ['a.py', 'b.py'], state: { kind: 'running' } })
  second.round.onResult(row('a', 'pass'))
  expect(watch.last()?.first).toMatchObject({ total: 1, tookMs: 250 })
  watch.press('end')
  await watch.ending
})

test('a change ends the round that is under way, and a new one begins', async () => {
  const watch = watched()
  const first = await watch.run(0)
  watch.change('service.py')
  expect(first.round.signal.aborted).toBe(false)
  watch.pass(100)
  expect(first.round.signal.aborted).toBe(true)
  const second = await watch.run(1)
  expect(watch.views.map(({ state }) => state.kind)).toEqual(['running', 'given-up', 'running'])
  second.end(resultOf('conforms'))
  watch.press('end')
  expect(await watch.ending).toBe('conforms')
})

test('a service that crashes or does not start is shown, and waited for', async () => {
  const watch = watched()
  const first = await watch.run(0)
  first.round.onGone('its process ended (exit code 1)', 'its last words')
  const down = { kind: 'down', why: 'its process ended (exit code 1)', output: 'its last words' }
  expect(first.round.signal.aborted).toBe(true)
  watch.change('service.py')
  watch.pass(100)
  const second = await watch.run(1)
  expect(watch.views.map(({ state }) => state)).toContainEqual(down)
  second.fail(new Error('not ready'))
  await watch.idle()
  watch.press('again')
  const third = await watch.run(2)
  expect(watch.views.map(({ state }) => state.kind)).toEqual([
    'running',
    'down',
    'running',
    'down',
    'running',
  ])
  third.end(resultOf('conforms'))
  watch.press('end')
  expect(await watch.ending).toBe('conforms')
})

test('what no change of a file puts right ends the watch', async () => {
  const watch = watched()
  const first = await watch.run(0)
  first.fail(new UsageError('wrong', 'Put it right.'))
  await expect(watch.ending).rejects.toThrow('wrong')
})

test('a round shows which cases run, each since it began', async () => {
  const watch = watched()
  const { round, end } = await watch.run(0)
  watch.pass(2_000)
  round.onRunning(['a'])
  watch.pass(1_000)
  round.onRunning(['a', 'b'])
  expect([...(watch.last()?.running ?? [])]).toEqual([
    ['a', 2],
    ['b', 3],
  ])
  round.onRunning([])
  end(resultOf('conforms'))
  await watch.idle()
  expect(watch.last()?.running.size).toBe(0)
  watch.press('end')
  await watch.ending
})
