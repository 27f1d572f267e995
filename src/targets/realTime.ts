import type { DrivenTime } from '../client/clientWorld.ts'

const waiting = new Set<NodeJS.Timeout>()

/**
 * The machine's time as it was when this process began, and what has passed since: for targets that live in it. Whoever sets the
 * machine's clock meanwhile changes no duration and no time limit.
 */
export const realTime = {
  nowMs: (): number => Math.floor(performance.timeOrigin + performance.now()),
  /** Fulfilled after so many milliseconds; at once for none. */
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
  /** Calls a function after so many milliseconds. @returns takes it back. */
  after: (delayMs: number, call: () => void): (() => void) => {
    const timer = setTimeout(call, delayMs)
    return () => clearTimeout(timer)
  },
  /** No longer keeps this process from ending: whoever still waits was given up. */
  release: (): void => {
    for (const timer of waiting) timer.unref()
  },
}

/** The same for clients, whose time nobody has to drive. */
export const REAL_DRIVEN_TIME: DrivenTime = {
  time: { nowMs: realTime.nowMs, sleep: realTime.pass, after: realTime.after },
  track: (action) => action(),
  settle: (promise) => promise,
}

/** How often a clock follows that of the machine. */
const FOLLOW_MS = 5

/** Moves a clock along with that of the machine. */
export function followRealTime(clock: { advanceTo(targetMs: number): void }) {
  const catchUp = () => clock.advanceTo(realTime.nowMs())
  const timer = setInterval(catchUp, FOLLOW_MS)
  return { catchUp, stop: () => clearInterval(timer) }
}
