import type { Clock } from '../ports.ts'

interface Entry<Value> {
  readonly value: Promise<Value>
  /** Null while the work is in progress. */
  untilMs: number | null
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
    const now = clock.nowMs()
    for (const [key, { untilMs }] of entries) if (untilMs !== null && untilMs <= now) entries.delete(key)
  }

  return (key: string, work: () => Promise<Perishable<Value>>): Promise<Value> => {
    sweep()
    const known = entries.get(key)
    if (known) return known.value
    const value = work().then(
      (made) => {
        const memoUntilMs = clock.nowMs() + memoMs
        entry.untilMs = made.expiresAtMs === null ? memoUntilMs : Math.min(memoUntilMs, made.expiresAtMs)
        return made.value
      },
      (error: unknown) => {
        entries.delete(key)
        throw error
      },
    )
    const entry: Entry<Value> = { value, untilMs: null }
    entries.set(key, entry)
    return value
  }
}
