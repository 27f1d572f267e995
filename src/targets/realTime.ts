import type { DrivenTime } from '../client/clientWorld.ts'

const waiting = new Set<NodeJS.Timeout>()

/**
 * The machine's time when this process began, plus the time since, for targets in real time. Setting the machine's clock
 * meanwhile changes no duration and no time limit.
 */
export const realTime = {
  nowMs: (): number => Math.floor(performance.timeOrigin + performance.now()),
  /** Resolves after this many milliseconds; immediately for none. */
  pass: (deltaMs: number): Promise<void> =>
    deltaMs <= 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          const timer = setTimeout(() => {
            waiting.delete(timer)
            resolve()
          }, deltaMs)
          waiting.add(timer)
        }),
  /** Calls a function after a delay. @returns cancels it. */
  after: (delayMs: number, call: () => void): (() => void) => {
    const timer = setTimeout(call, delayMs)
    return () => clearTimeout(timer)
  },
  /** Lets this process end although timers are waiting: their callers were given up. */
  release: (): void => {
    for (const timer of waiting) timer.unref()
  },
}

/** Real time for clients, which nothing has to drive. */
export const REAL_DRIVEN_TIME: DrivenTime = {
  time: { nowMs: realTime.nowMs, sleep: realTime.pass, after: realTime.after },
  track: (action) => action(),
  settle: (promise) => promise,
}

/** Interval at which a clock follows the machine's. */
const FOLLOW_MS = 5

/** Moves a clock along with that of the machine. */
export function followRealTime(clock: { advanceTo(targetMs: number): void }) {
  const catchUp = () => clock.advanceTo(realTime.nowMs())
  const timer = setInterval(catchUp, FOLLOW_MS)
  return { catchUp, stop: () => clearInterval(timer) }
}
