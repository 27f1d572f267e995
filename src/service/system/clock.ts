import type { Clock } from '../ports.ts'

/** The longest delay of a Node timer; a longer one would fire immediately. */
const DELAY_MAX_MS = 2 ** 31 - 1

/** The system clock. A pending timer alone does not keep the process alive. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => Math.floor(performance.now()),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), DELAY_MAX_MS))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
