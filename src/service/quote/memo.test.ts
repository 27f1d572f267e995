import { expect, test } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import type { Clock } from '../ports.ts'
import { createMemo } from './memo.ts'

function counting(expiresAtMs: number | null = null) {
  const clock = new VirtualClock(1_000)
  const memo = createMemo<number>(clock, 1_500)
  let made = 0
  const ask = (key = 'a') =>
    memo(key, async () => {
      made += 1
      return { value: made, expiresAtMs }
    })
  return { clock, ask }
}

test('repeats an answer for 1.5 s after it was made, and not a moment longer', async () => {
  const { clock, ask } = counting()
  expect(await ask()).toBe(1)
  clock.advanceTo(2_499)
  expect(await ask()).toBe(1)
  clock.advanceTo(2_500)
  expect(await ask()).toBe(2)
})

test('repeats no answer that was made at a time to which the clock was set back, nor one past its expiry', async () => {
  for (const setTo of [-3_600_000, 3_600_000]) {
    const virtual = new VirtualClock(10_000_000)
    let aheadMs = 0
    const nowMs = () => virtual.nowMs() + aheadMs
    const clock: Clock = { nowMs, monotonicMs: () => virtual.monotonicMs(), after: () => () => {} }
    const memo = createMemo<number>(clock, 1_500)
    let made = 0
    const ask = () =>
      memo('a', async () => {
        made += 1
        return { value: made, expiresAtMs: nowMs() + 30_000 }
      })
    expect(await ask()).toBe(1)
    aheadMs = setTo
    expect([await ask(), await ask()]).toEqual([2, 2])
    virtual.advanceBy(1_499)
    expect(await ask()).toBe(2)
    virtual.advanceBy(1)
    expect(await ask()).toBe(3)
  }
})

test('never repeats past the expiry of the answer', async () => {
  const { clock, ask } = counting(1_700)
  expect(await ask()).toBe(1)
  clock.advanceTo(1_699)
  expect(await ask()).toBe(1)
  clock.advanceTo(1_700)
  expect(await ask()).toBe(2)
})

test('identical requests under way share the work, others do not', async () => {
  const { ask } = counting()
  expect(await Promise.all([ask('a'), ask('b'), ask('a')])).toEqual([1, 2, 1])
})

test('a failure reaches everyone who waits for it and is not remembered', async () => {
  const clock = new VirtualClock(0)
  const memo = createMemo<string>(clock, 1_500)
  const fail = () => Promise.reject(new Error('no chain'))
  const [first, second] = await Promise.allSettled([memo('a', fail), memo('a', fail)])
  expect([first.status, second.status]).toEqual(['rejected', 'rejected'])
  expect(await memo('a', async () => ({ value: 'well', expiresAtMs: null }))).toBe('well')
})
