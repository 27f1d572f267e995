import { expect, it } from 'vitest'
import { systemClock } from './clock.ts'
import { systemIds } from './ids.ts'

it('counts time in whole milliseconds of the epoch, forward', () => {
  const before = systemClock.nowMs()
  expect(Number.isInteger(before)).toBe(true)
  expect(before).toBeGreaterThan(1_700_000_000_000)
  expect(systemClock.nowMs()).toBeGreaterThanOrEqual(before)
})

it('calls back once after a delay, and not after it was cancelled', async () => {
  const called: string[] = []
  const cancel = systemClock.after(0, () => called.push('cancelled'))
  cancel()
  await new Promise<void>((resolve) => {
    systemClock.after(-5, () => called.push('late'))
    systemClock.after(1, () => {
      called.push('on time')
      resolve()
    })
  })
  expect(called).toEqual(['late', 'on time'])
})

it('does not fire at once when the delay is longer than a timer can carry', async () => {
  let fired = false
  const cancel = systemClock.after(2 ** 40, () => {
    fired = true
  })
  await new Promise<void>((resolve) => {
    systemClock.after(5, resolve)
  })
  cancel()
  expect(fired).toBe(false)
})

it('makes identifiers that never repeat', () => {
  expect(systemIds.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(systemIds.secret()).toMatch(/^[0-9a-f]{64}$/)
  expect(systemIds.uuid()).not.toBe(systemIds.uuid())
  expect(systemIds.secret()).not.toBe(systemIds.secret())
})
