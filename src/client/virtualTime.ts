import { untilQuiet } from '../simulation/run/quiescence.ts'
import type { VirtualClock } from '../simulation/world/clock.ts'
import type { DrivenTime } from './clientWorld.ts'

/** Drives a virtual clock for clients in this process, so that the same run takes the same steps each time. */
export function virtualTime(clock: VirtualClock): DrivenTime {
  let signs = 0
  let busy = 0
  return {
    time: {
      nowMs: () => clock.nowMs(),
      after: (delayMs, call) => clock.after(delayMs, call),
      sleep: (delayMs) => {
        signs += 1
        return new Promise((resolve) => {
          // Node's timers, too, fire almost immediately for such a delay.
          clock.after(Number.isFinite(delayMs) ? delayMs : 0, resolve)
        })
      },
    },
    track: async (action) => {
      busy += 1
      try {
        return await action()
      } finally {
        busy -= 1
        signs += 1
      }
    },
    settle: async (promise) => {
      let isOver = false
      const done = promise.finally(() => {
        isOver = true
      })
      done.catch(() => {})
      for (;;) {
        await untilQuiet(
          () => signs,
          () => busy > 0,
        )
        if (isOver) return done
        const nextMs = clock.nextTimerMs()
        if (nextMs === null) throw new RangeError('a client waits for something that never comes')
        signs += 1
        clock.advanceTo(nextMs)
      }
    },
  }
}
