import type { Clock } from '../ports.ts'

/** So many refusals a second are sent at once. */
const REFUSALS_PER_S = 250
/** No refusal is held back for longer: clients on 5,000 connections then get 500 of them a second. */
export const REFUSAL_DELAY_MAX_MS = 10_000
/** A burst of as many refusals as fit into this time is not slowed down. */
const BURST_MS = 100

/**
 * Waits before a refusal while more of them are due than `REFUSALS_PER_S`, for `delayMaxMs` at most: clients that come again at
 * once, on thousands of connections, would otherwise take the time in which others are served.
 */
export function createPacing(clock: Clock, delayMaxMs: number): () => Promise<void> {
  let nextMs = 0
  return async () => {
    const nowMs = clock.monotonicMs()
    const dueMs = Math.min(Math.max(nextMs, nowMs), nowMs + delayMaxMs)
    nextMs = dueMs + 1_000 / REFUSALS_PER_S
    const delayMs = dueMs - nowMs
    if (delayMs > BURST_MS) await new Promise<void>((resolve) => clock.after(delayMs, resolve))
  }
}
