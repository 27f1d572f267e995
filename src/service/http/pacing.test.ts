import { expect, it } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { settleMicrotasks } from '../testing/deps.ts'
import { createPacing } from './pacing.ts'

/** Returns the times at which `count` concurrent refusals are sent. */
async function sentMs(count: number, delayMaxMs: number): Promise<readonly number[]> {
  const clock = new VirtualClock(10_000)
  const pace = createPacing(clock, delayMaxMs)
  const sent: number[] = []
  for (let index = 0; index < count; index += 1) pace().then(() => sent.push(clock.nowMs() - 10_000))
  await settleMicrotasks()
  for (let next = clock.nextTimerMs(); next !== null; next = clock.nextTimerMs()) {
    clock.advanceTo(next)
    await settleMicrotasks()
  }
  return sent
}

it('sends a burst of refusals at once, and a flood of them at two hundred and fifty a second', async () => {
  const sent = await sentMs(1_000, 5_000)
  expect(sent).toHaveLength(1_000)
  expect(sent.filter((ms) => ms === 0)).toHaveLength(26)
  expect(sent.filter((ms) => ms < 1_000)).toHaveLength(250)
})

it('delays none longer than its limit', async () => {
  expect(Math.max(...(await sentMs(2_000, 300)))).toBe(300)
})
