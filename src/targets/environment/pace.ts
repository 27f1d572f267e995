import type { Transport } from '../../spec/exchange.ts'
import { readRetryAfterMs } from '../../spec/retryAfter.ts'
import type { Answer, Query } from './client.ts'

/**
 * Reason that a case waits where time is real: until a memo no longer answers with earlier pools, until a budget is refilled,
 * until a briefly unavailable service is back, until a pending report is final, for a time that the case chooses, or for
 * responses of a service whose line to the chain fails.
 */
export type WaitCause = 'memo' | 'budget' | 'unavailable' | 'pending' | 'time' | 'line'

/** Time that a case waited, by reason, in milliseconds; absent: none. */
export type WaitedMs = Readonly<Partial<Record<WaitCause, number>>>

/** Time for a case, with ways to outlast memos and budgets. */
export interface TimeOfCases {
  /** The target's clock, as closely as it can be known. Epoch milliseconds. */
  readonly clock: { nowMs(): number }
  pass(deltaMs: number): Promise<void>
  /** Sends a report that must become final, and got 202, again as `Retry-After` says. */
  readonly untilFinal: UntilFinal
  /** Returns parameters for a quote that no memo holds; they change neither its outputs nor their order. */
  unmemoized(): Promise<Query>
  /** Makes sure that no memo answers later requests with earlier pools. */
  outlastMemo(): void
  /** Waits until no memo answers at all. */
  endMemo(): Promise<void>
  /** Makes sure that exhausted budgets are full again. */
  outlastBudget(): Promise<void>
}

/** Time for a target, real or virtual. */
export interface Pace extends TimeOfCases {
  /** True if waiting takes real time, so that cases gain by waiting concurrently. */
  readonly isReal: boolean
  /** Carries the requests of a client; with `none` it never waits for a budget or a memo. */
  transport(patience: 'obey-429' | 'none'): Transport
  /** Returns the time waited in real time since the last call. */
  takeWaitedMs(): WaitedMs
}

/**
 * Sends a report again while it gets 202, as its `Retry-After` says and for ten seconds at most: a service may read the head
 * every few seconds, or verify a swap in the background (§4.3: "pending").
 */
export type UntilFinal = (first: Answer, again: () => Promise<Answer>) => Promise<Answer>

const FINAL_WITHIN_MS = 10_000

/** Returns an `UntilFinal` that waits by `pass`. */
export function waitingUntilFinal(
  pass: (deltaMs: number) => Promise<void>,
  clock: { nowMs(): number },
): UntilFinal {
  return async (first, again) => {
    let answer = first
    for (let leftMs = FINAL_WITHIN_MS; answer.status === 202 && leftMs > 0; ) {
      // A service that saw an older head states a later time than it needs.
      const waitMs = Math.min(retryAfterMs(answer.headers, clock.nowMs()) ?? 1_000, leftMs)
      leftMs -= waitMs
      await pass(waitMs)
      answer = await again()
    }
    return answer
  }
}

/** Returns `Retry-After` in milliseconds, at least a second; null: it is missing or unreadable. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const statedMs = readRetryAfterMs(headers, nowMs)
  return statedMs === null ? null : Math.max(1_000, statedMs)
}

/** A slippage that no case uses; larger ones are free as well. */
export const FIRST_FREE_SLIPPAGE_BPS = 1_000
/** Longer than the reference's memo lasts. */
const MEMO_MS = 2_000
/** Longer than any memo may last, and longer than a budget per minute takes to refill. */
const OUTLAST_MEMO_MS = 5_000
const OUTLAST_BUDGET_MS = 60 * 60 * 1_000

/** Returns the pace of a target whose clock the harness moves: nothing waits in real time. */
export function virtualPace(
  transport: Transport,
  clock: { nowMs(): number; advanceBy(deltaMs: number): void },
  pass: (deltaMs: number) => Promise<void>,
  mine: () => Promise<unknown>,
): Pace {
  return {
    isReal: false,
    clock,
    // The budget of a fresh world lasts for any case that does not exhaust it on purpose.
    transport: () => transport,
    pass,
    untilFinal: waitingUntilFinal(pass, clock),
    unmemoized: async () => {
      clock.advanceBy(OUTLAST_MEMO_MS)
      // A slippage, as in every environment, so that the same cases judge the same requirements.
      return { slippageBps: FIRST_FREE_SLIPPAGE_BPS }
    },
    outlastMemo: () => clock.advanceBy(MEMO_MS),
    endMemo: async () => clock.advanceBy(MEMO_MS),
    outlastBudget: async () => {
      clock.advanceBy(OUTLAST_BUDGET_MS)
      // Mines, since a chain that stood still for so long could not serve as a clock.
      await mine()
    },
    takeWaitedMs: () => ({}),
  }
}
