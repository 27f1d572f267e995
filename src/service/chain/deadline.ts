import type { Clock } from '../ports.ts'

/**
 * `work`, or the error of `onLate` once `timeoutMs` have passed on the clock. The timer is cancelled as soon as the work
 * settles; the work itself cannot be stopped, its late result is dropped.
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

/** A span of time that several steps share: what is left of it, never less than zero. */
export interface Budget {
  /** `timeoutMs`, or less when less is left. */
  atMost(timeoutMs: number): number
}

export function startBudget(clock: Clock, totalMs: number): Budget {
  const endsAtMs = clock.nowMs() + totalMs
  return { atMost: (timeoutMs) => Math.max(0, Math.min(timeoutMs, endsAtMs - clock.nowMs())) }
}
