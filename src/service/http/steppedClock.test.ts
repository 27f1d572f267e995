import { expect, test } from 'vitest'
import { VirtualClock } from '../../simulation/world/clock.ts'
import { startBudget } from '../chain/deadline.ts'
import type { Clock } from '../ports.ts'
import { createKeyBudget } from './keyBudget.ts'
import { createPacing } from './pacing.ts'

const HOUR_MS = 3_600_000

/** A clock whose wall time jumps an hour forward or back at each read. */
function wild(virtual: VirtualClock): Clock {
  let reads = 0
  return {
    nowMs: () => virtual.nowMs() + (reads++ % 2 === 0 ? HOUR_MS : -HOUR_MS),
    monotonicMs: () => virtual.monotonicMs(),
    after: (delayMs, callback) => virtual.after(delayMs, callback),
  }
}

/** Returns the results of `use` with a clock that is never set, and with one that is. */
async function both<Value>(
  use: (clock: Clock, virtual: VirtualClock) => Promise<Value>,
): Promise<readonly Value[]> {
  const clocks = [(virtual: VirtualClock): Clock => virtual, wild]
  return Promise.all(
    clocks.map((clockOf) => {
      const virtual = new VirtualClock(1_000_000)
      return use(clockOf(virtual), virtual)
    }),
  )
}

test('a time budget, the pacing of refusals and the budget of a key are the same however the clock is set', async () => {
  const [straight, set] = await both(async (clock, virtual) => {
    const seen: unknown[] = []
    const budget = startBudget(clock, 5_000)
    virtual.advanceBy(4_500)
    seen.push(budget.atMost(1_000), budget.atMost(100))

    const delays: number[] = []
    const watched: Clock = {
      ...{ nowMs: () => clock.nowMs(), monotonicMs: () => clock.monotonicMs() },
      after: (delayMs, callback) => {
        delays.push(delayMs)
        callback()
        return () => {}
      },
    }
    const pace = createPacing(watched, 10_000)
    for (let refusal = 0; refusal < 100; refusal += 1) await pace()
    seen.push(delays)

    const caller = { callerOf: () => ({ keyId: 'one' }) } as unknown as Parameters<typeof createKeyBudget>[2]
    const spend = createKeyBudget(
      clock,
      { keyBudget: { requests: 3, windowMs: 60_000 } },
      caller,
      async () => {},
    )
    for (let request = 0; request < 8; request += 1) {
      const refusal = await spend({} as Parameters<typeof spend>[0]).catch((error: Error) => error.message)
      seen.push(refusal ?? 'served')
      virtual.advanceBy(9_000)
    }
    return seen
  })
  expect(set).toEqual(straight)
  expect(straight).toContain('served')
  expect(straight?.[0]).toBe(500)
})
