import { expect, test } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { startBudget, withDeadline } from './deadline.ts'

const late = () => new Error('late')

test('work in time comes through, and its timer goes', async () => {
  const clock = new VirtualClock(0)
  await expect(withDeadline(clock, 10, Promise.resolve(7), late)).resolves.toBe(7)
  await expect(withDeadline(clock, 10, Promise.reject(new Error('own')), late)).rejects.toThrow('own')
  expect(clock.nextTimerMs()).toBe(null)
})

test('work that is late is given up; what it says afterwards is dropped', async () => {
  const clock = new VirtualClock(0)
  let fail = (_error: Error) => {}
  const work = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  const result = expect(withDeadline(clock, 10, work, late)).rejects.toThrow('late')
  clock.advanceTo(9)
  expect(clock.nextTimerMs()).toBe(10)
  clock.advanceTo(10)
  fail(new Error('too late to matter'))
  await result
})

test('a budget gives no more than is left of it', () => {
  const clock = new VirtualClock(100)
  const budget = startBudget(clock, 30)
  expect(budget.atMost(20)).toBe(20)
  clock.advanceTo(115)
  expect(budget.atMost(20)).toBe(15)
  clock.advanceTo(200)
  expect(budget.atMost(20)).toBe(0)
})
