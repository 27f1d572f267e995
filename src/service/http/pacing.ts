import type { Clock } from '../ports.ts'

/** Number of refusals per second that are sent without delay. */
const REFUSALS_PER_S = 250
/** Longest delay of a refusal: clients on 5,000 connections then get 500 of them a second. */
export const REFUSAL_DELAY_MAX_MS = 10_000
/** A burst of as many refusals as fit into this time is not slowed down. */
const BURST_MS = 100

/**
 * Delays a refusal, by `delayMaxMs` at most, while more than `REFUSALS_PER_S` are due: clients that retry immediately, on
 * thousands of connections, would otherwise take the time in which others are served.
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
