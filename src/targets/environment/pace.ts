import type { Transport } from '../../spec/exchange.ts'
import { readRetryAfterMs } from '../../spec/retryAfter.ts'
import type { Answer, Query } from './client.ts'

/**
 * Describes what a case waits for where time is real: that a memo no longer answers with pools of before, that a budget is there
 * again, that a service which was unavailable for a moment is back, that a report which is pending is final, a time of its own,
 * or responses of a service whose line to the chain fails.
 */
export type WaitCause = 'memo' | 'budget' | 'unavailable' | 'pending' | 'time' | 'line'

/** Describes how long a case waited for what, in milliseconds; absent: it did not. */
export type WaitedMs = Readonly<Partial<Record<WaitCause, number>>>

/** How time passes for a case, and how it outlasts memos and budgets. */
export interface TimeOfCases {
  /** The target's clock, as well as it can be known. Epoch milliseconds. */
  readonly clock: { nowMs(): number }
  /** Lets time pass. */
  pass(deltaMs: number): Promise<void>
  /** Sends a report that must be final, and got 202, again as `Retry-After` says. */
  readonly untilFinal: UntilFinal
  /** Parameters for a quote that no memo holds; they change neither its outputs nor their order. */
  unmemoized(): Promise<Query>
  /** From now on no memo answers with the pools as they were before they changed. */
  outlastMemo(): void
  /** Waits until no memo answers at all. */
  endMemo(): Promise<void>
  /** From now on budgets that were exhausted are full again. */
  outlastBudget(): Promise<void>
}

/** How a target's time passes. */
export interface Pace extends TimeOfCases {
  /** True if waiting takes real time, so that cases gain by waiting together. */
  readonly isReal: boolean
  /** Carries the requests of a client; with `none` it never waits for a budget or a memo. */
  transport(patience: 'obey-429' | 'none'): Transport
  /** Returns what was waited in real time since the last call. */
  takeWaitedMs(): WaitedMs
}

/**
 * Sends a report again while it is 202, as its `Retry-After` says and for ten seconds at most: a service may read the head every
 * few seconds, or verify a swap while nobody waits (§4.3: "pending").
 */
export type UntilFinal = (first: Answer, again: () => Promise<Answer>) => Promise<Answer>

const FINAL_WITHIN_MS = 10_000

/** Returns a report that waits in this way. */
export function waitingUntilFinal(
  pass: (deltaMs: number) => Promise<void>,
  clock: { nowMs(): number },
): UntilFinal {
  return async (first, again) => {
    let answer = first
    for (let leftMs = FINAL_WITHIN_MS; answer.status === 202 && leftMs > 0; ) {
      // A service that saw an older head also states a later time than it needs.
      const waitMs = Math.min(retryAfterMs(answer.headers, clock.nowMs()) ?? 1_000, leftMs)
      leftMs -= waitMs
      await pass(waitMs)
      answer = await again()
    }
    return answer
  }
}

/** Returns `Retry-After` in milliseconds, at least a second; null where there is none that can be read. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const statedMs = readRetryAfterMs(headers, nowMs)
  return statedMs === null ? null : Math.max(1_000, statedMs)
}

/** A slippage that no case names; larger ones are free as well. */
export const FIRST_FREE_SLIPPAGE_BPS = 1_000
/** Longer than the memo of the reference lasts. */
const MEMO_MS = 2_000
/** Longer than any memo may last, and than any budget of a minute takes to fill again. */
const OUTLAST_MEMO_MS = 5_000
const OUTLAST_BUDGET_MS = 60 * 60 * 1_000

/** Returns the pace of a target whose clock is moved at will: nothing is waited for. */
export function virtualPace(
  transport: Transport,
  clock: { nowMs(): number; advanceBy(deltaMs: number): void },
  pass: (deltaMs: number) => Promise<void>,
  mine: () => Promise<unknown>,
): Pace {
  return {
    isReal: false,
    clock,
    // The budget of a fresh world lasts for any case that does not mean to exhaust it.
    transport: () => transport,
    pass,
    untilFinal: waitingUntilFinal(pass, clock),
    unmemoized: async () => {
      clock.advanceBy(OUTLAST_MEMO_MS)
      // As in every environment a slippage of its own, so that the same cases judge the same requirements.
      return { slippageBps: FIRST_FREE_SLIPPAGE_BPS }
    },
    outlastMemo: () => clock.advanceBy(MEMO_MS),
    endMemo: async () => clock.advanceBy(MEMO_MS),
    outlastBudget: async () => {
      clock.advanceBy(OUTLAST_BUDGET_MS)
      // A chain that stood still for so long would be no clock.
      await mine()
    },
    takeWaitedMs: () => ({}),
  }
}
