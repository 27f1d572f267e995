import { realTime } from '../realTime.ts'

/**
 * Describes what a case waits for where time is real: that a memo no longer answers with pools of before, that a budget is there
 * again, a time of its own, or responses of a service whose line to the chain fails.
 */
export type WaitCause = 'memo' | 'budget' | 'time' | 'line'

/** Describes how long a case waited for what, in milliseconds; absent: it did not. */
export type WaitedMs = Readonly<Partial<Record<WaitCause, number>>>

/** Waits in real time, and counts it. */
export interface Waits {
  /** Fulfilled after so many milliseconds; at once for none. */
  pass(cause: WaitCause, deltaMs: number): Promise<void>
  /** Counts a wait of somebody else. */
  add(cause: WaitCause, deltaMs: number): void
  /** Returns what was waited since the last call. */
  take(): WaitedMs
}

/** Waits that nobody has waited yet. */
export function createWaits(): Waits {
  let waited: Partial<Record<WaitCause, number>> = {}
  const add = (cause: WaitCause, deltaMs: number): void => {
    if (deltaMs > 0) waited[cause] = (waited[cause] ?? 0) + Math.round(deltaMs)
  }
  return {
    add,
    pass: (cause, deltaMs) => {
      add(cause, deltaMs)
      return realTime.pass(deltaMs)
    },
    take: () => {
      const taken = waited
      waited = {}
      return taken
    },
  }
}
