import type { Clock } from '../ports.ts'

/**
 * Resolves like `work`, or rejects with the error of `onLate` after `timeoutMs` on the clock. The timer is cancelled when the work
 * settles. The work itself cannot be stopped; a late result is dropped.
 */
export function withDeadline<Result>(
  clock: Clock,
  timeoutMs: number,
  work: Promise<Result>,
  onLate: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () => reject(onLate()))
    work.then(resolve, reject).finally(cancel)
  })
}

/** A time budget shared by several steps. */
export interface Budget {
  /** Returns `timeoutMs`, or the remaining time if that is less; never below zero. */
  atMost(timeoutMs: number): number
}

/** @param startedAtMs start of the budget on the monotonic clock; now by default. */
export function startBudget(clock: Clock, totalMs: number, startedAtMs = clock.monotonicMs()): Budget {
  const endsAtMs = startedAtMs + totalMs
  return { atMost: (timeoutMs) => Math.max(0, Math.min(timeoutMs, endsAtMs - clock.monotonicMs())) }
}
