import { expect, it } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { OverloadedError } from '../errors.ts'
import { settleMicrotasks } from '../testing/deps.ts'
import { createGate, type Work } from './gate.ts'

/** Returns a gate, and requests that end when the test ends them. */
function gateOf(limits: { runningMax: number; waitingMax: number; waitMs?: number }) {
  const clock = new VirtualClock(0)
  const gate = createGate(clock, { waitMs: 1_000, ...limits })
  const started: string[] = []
  const refused: string[] = []
  const enter = (name: string, kind: Work) => {
    let end = () => {}
    let giveUp = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    gate
      .run(
        kind,
        () => {
          started.push(name)
          return ended
        },
        (leave) => {
          giveUp = leave
        },
      )
      .catch((error: OverloadedError) => refused.push(`${name} ${error.reason}`))
    return { end: () => end(), giveUp: () => giveUp() }
  }
  return { clock, gate, started, refused, enter }
}

it('runs as many requests as there is room for, and the next when one has ended', async () => {
  const { started, enter } = gateOf({ runningMax: 2, waitingMax: 4 })
  const [first] = [enter('a', 'quote'), enter('b', 'quote'), enter('c', 'quote')]
  await settleMicrotasks()
  expect(started).toEqual(['a', 'b'])
  first?.end()
  await settleMicrotasks()
  expect(started).toEqual(['a', 'b', 'c'])
})

it('takes reports before builds and builds before quotes, each in the order of arrival', async () => {
  const { started, enter } = gateOf({ runningMax: 1, waitingMax: 16 })
  const running = enter('running', 'quote')
  const waiting = [
    enter('quote 1', 'quote'),
    enter('quote 2', 'quote'),
    enter('build 1', 'build'),
    enter('confirm 1', 'confirm'),
    enter('build 2', 'build'),
    enter('confirm 2', 'confirm'),
  ]
  for (const { end } of [running, ...waiting]) end()
  await settleMicrotasks()
  expect(started.slice(1)).toEqual(['confirm 1', 'confirm 2', 'build 1', 'build 2', 'quote 1', 'quote 2'])
})

it('keeps places for what is more important: half for quotes, three quarters with builds', async () => {
  const { gate, refused, enter } = gateOf({ runningMax: 1, waitingMax: 4 })
  enter('running', 'quote')
  for (const name of ['quote 1', 'quote 2']) enter(name, 'quote')
  expect((['quote', 'build', 'confirm'] as const).map(gate.isFull)).toEqual([true, false, false])
  enter('quote 3', 'quote')
  enter('build 1', 'build')
  expect((['quote', 'build', 'confirm'] as const).map(gate.isFull)).toEqual([true, true, false])
  enter('build 2', 'build')
  enter('confirm 1', 'confirm')
  expect(gate.isFull('confirm')).toBe(true)
  enter('confirm 2', 'confirm')
  await settleMicrotasks()
  expect(refused).toEqual(['quote 3 queue-full', 'build 2 queue-full', 'confirm 2 queue-full'])
})

it('refuses no quote for reports that wait, while the queue has places', async () => {
  const { gate, started, refused, enter } = gateOf({ runningMax: 1, waitingMax: 4 })
  const reports = ['a', 'b', 'c', 'd'].map((name) => enter(name, 'confirm'))
  const quote = enter('quote', 'quote')
  expect((['quote', 'build', 'confirm'] as const).map(gate.isFull)).toEqual([true, true, true])
  enter('e', 'confirm')
  for (const { end } of [...reports, quote]) end()
  await settleMicrotasks()
  expect(refused).toEqual(['e queue-full'])
  expect(started).toEqual(['a', 'b', 'c', 'd', 'quote'])
})

it('is never full while there is room to run, even without a queue', () => {
  const { gate, enter } = gateOf({ runningMax: 1, waitingMax: 0 })
  expect(gate.isFull('quote')).toBe(false)
  enter('running', 'quote')
  expect(gate.isFull('confirm')).toBe(true)
})

it('refuses what has waited too long, to the millisecond', async () => {
  const { clock, started, refused, enter } = gateOf({ runningMax: 1, waitingMax: 4, waitMs: 500 })
  const running = enter('running', 'build')
  enter('late', 'build')
  clock.advanceTo(499)
  await settleMicrotasks()
  expect(refused).toEqual([])
  clock.advanceTo(500)
  running.end()
  await settleMicrotasks()
  expect(refused).toEqual(['late waited-too-long'])
  expect(started).toEqual(['running'])
})

it('gives the place of a client that has gone to the next', async () => {
  const { clock, started, refused, enter } = gateOf({ runningMax: 1, waitingMax: 2 })
  const running = enter('running', 'quote')
  const gone = enter('gone', 'quote')
  gone.giveUp()
  const next = enter('next', 'quote')
  running.end()
  await settleMicrotasks()
  expect(started).toEqual(['running', 'next'])
  expect(refused).toEqual(['gone client-gone'])
  expect(clock.nextTimerMs()).toBeNull()
  // A client that disconnects while its request is running does not free its place: the work continues.
  next.giveUp()
  enter('waits', 'quote')
  await settleMicrotasks()
  expect(started).toEqual(['running', 'next'])
})

it('makes room when a request fails', async () => {
  const { gate } = gateOf({ runningMax: 1, waitingMax: 0 })
  const failing = gate.run(
    'quote',
    () => Promise.reject(new Error('its own')),
    () => {},
  )
  await expect(failing).rejects.toThrow('its own')
  await expect(
    gate.run(
      'quote',
      async () => 7,
      () => {},
    ),
  ).resolves.toBe(7)
})

it('names the reason of a refusal, and what to do', () => {
  expect(new OverloadedError('queue-full')).toMatchObject({
    name: 'OverloadedError',
    reason: 'queue-full',
    message: expect.stringContaining('queue-full'),
    advice: expect.stringContaining('Retry-After'),
  })
})
