import { expect, test } from 'vitest'
import { VirtualClock } from './clock.ts'

test('timers fire in the order they fall due, ties in the order they were set', () => {
  const clock = new VirtualClock(1000)
  const fired: string[] = []
  clock.after(20, () => fired.push(`late ${clock.nowMs()}`))
  clock.after(10, () => fired.push(`first ${clock.nowMs()}`))
  clock.after(10, () => fired.push(`second ${clock.nowMs()}`))
  clock.advanceBy(15)
  expect(fired).toEqual(['first 1010', 'second 1010'])
  expect(clock.nowMs()).toBe(1015)
  clock.advanceTo(1020)
  expect(fired).toEqual(['first 1010', 'second 1010', 'late 1020'])
})

test('a timer set by a timer fires in the same advance when it falls due in it', () => {
  const clock = new VirtualClock(0)
  const fired: number[] = []
  clock.after(5, () => clock.after(5, () => fired.push(clock.nowMs())))
  clock.advanceTo(10)
  expect(fired).toEqual([10])
})

test('a cancelled timer never fires, and time never runs backwards', () => {
  const clock = new VirtualClock(100)
  const fired: number[] = []
  const cancel = clock.after(1, () => fired.push(1))
  cancel()
  clock.advanceTo(50)
  clock.advanceTo(200)
  expect(fired).toEqual([])
  expect(clock.nowMs()).toBe(200)
})
