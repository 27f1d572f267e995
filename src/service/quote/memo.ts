import type { Clock } from '../ports.ts'

interface Entry<Value> {
  readonly value: Promise<Value>
  /** How long it may be reused; null while the work is in progress. */
  until: Until | null
}

/** The time of the world may be set meanwhile: set forward it is past an expiry, and set back it is before the value was made. */
interface Until {
  readonly monotonicMs: number
  readonly madeAtMs: number
  readonly expiresAtMs: number
}

/** The result of memoized work: the value, and the time after which it must not be reused. */
export interface Perishable<Value> {
  readonly value: Value
  readonly expiresAtMs: number | null
}

/**
 * §4.1 rule 3: keeps a response for `memoMs` after it was made, never past its own expiry. Requests that arrive while
 * the same work is in progress share it. A failure is not kept.
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
