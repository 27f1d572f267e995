import type { Clock } from '../ports.ts'

interface Entry<Value> {
  readonly value: Promise<Value>
  /** End of its reuse; null while the work is in progress. */
  until: Until | null
}

/** End of reuse. The wall clock may be set: forward, past the expiry, or back, before the value was created. */
interface Until {
  readonly monotonicMs: number
  readonly madeAtMs: number
  readonly expiresAtMs: number
}

/** A result to memoize: the value, and the time after which it must not be reused. */
export interface Perishable<Value> {
  readonly value: Value
  readonly expiresAtMs: number | null
}

/**
 * Keeps a response for `memoMs` after it was created, never past its own expiry (§4.1 rule 3). Requests that arrive while the
 * same work is in progress share it. A failure is not kept.
 */
export function createMemo<Value>(clock: Clock, memoMs: number) {
  const entries = new Map<string, Entry<Value>>()

  const sweep = () => {
    const [now, elapsedMs] = [clock.nowMs(), clock.monotonicMs()]
    const isOver = ({ monotonicMs, madeAtMs, expiresAtMs }: Until) =>
      monotonicMs <= elapsedMs || expiresAtMs <= now || now < madeAtMs
    for (const [key, { until }] of entries) if (until !== null && isOver(until)) entries.delete(key)
  }

  return (key: string, work: () => Promise<Perishable<Value>>): Promise<Value> => {
    sweep()
    const known = entries.get(key)
    if (known) return known.value
    const value = work().then(
      (made) => {
        entry.until = {
          monotonicMs: clock.monotonicMs() + memoMs,
          madeAtMs: clock.nowMs(),
          expiresAtMs: made.expiresAtMs ?? Number.POSITIVE_INFINITY,
        }
        return made.value
      },
      (error: unknown) => {
        entries.delete(key)
        throw error
      },
    )
    const entry: Entry<Value> = { value, until: null }
    entries.set(key, entry)
    return value
  }
}
