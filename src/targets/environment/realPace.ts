import { type HttpRequest, type Transport, UNAVAILABLE } from '../../spec/exchange.ts'
import { LIMITS } from '../../spec/limits.ts'
import { realTime } from '../realTime.ts'
import type { Line } from './line.ts'
import {
  FIRST_FREE_SLIPPAGE_BPS,
  type Pace,
  retryAfterMs,
  type UntilFinal,
  type WaitCause,
  type WaitedMs,
  waitingUntilFinal,
} from './pace.ts'

/** A little more than twice the "about 1.5 s" of §4.1: no memo of a quote lasts longer. */
const MEMO_OVER_MS = 3_050
/** Total time to wait for an exhausted budget, unless a longer one is declared, and time of one wait where no header states it. */
const BUDGET_WAIT_MAX_MS = 120_000
const BUDGET_WAIT_MS = 5_000

/** Maximum and default wait for a service that is unavailable without a fault (§7: retry with backoff). */
const UNAVAILABLE_MAX_MS = 5_000
const UNAVAILABLE_MS = 1_000
/** Number of reports that may stay pending: after that the service is not just slow, and the others are not waited for. */
const PENDING_IN_VAIN_MAX = 3

/** State that no chain has. */
const UNKNOWN_STATE = ''

/** The pace of a target in real time, with its waits counted. */
export interface RealPace extends Pace {
  /** Counts the time that a fault is on the line as waiting. */
  counted(line: Line): Line
}

/**
 * Returns the pace of a target whose memo and budgets cannot be reset: its clients wait where a quote could be answered from
 * before the chain changed, and where a budget is exhausted.
 *
 * @param options.stateOfChain returns a word for the state that quotes are made from; null: unknown
 * @param options.clockAheadMs time by which the target's clock is ahead of the machine's
 * @param options.budgetWindowS window of the budget that the target declares; null: it declares none
 */
export function createRealPace(
  transport: Transport,
  options: {
    readonly stateOfChain: (() => Promise<string>) | null
    readonly clockAheadMs: number
    readonly budgetWindowS: number | null
  },
): RealPace {
  const { stateOfChain, clockAheadMs, budgetWindowS } = options
  const budgetWaitMaxMs = Math.max(BUDGET_WAIT_MAX_MS, 2_000 * (budgetWindowS ?? 0))
  let slippages = 0
  const lastQuotes = new Map<string, { readonly state: string; readonly atMs: number }>()

  let waited: Partial<Record<WaitCause, number>> = {}
  const count = (cause: WaitCause, deltaMs: number): void => {
    if (deltaMs > 0) waited[cause] = (waited[cause] ?? 0) + Math.round(deltaMs)
  }
  const wait = (cause: WaitCause, deltaMs: number): Promise<void> => {
    count(cause, deltaMs)
    return realTime.pass(deltaMs)
  }

  /** Number of faults on lines to the chain: responses under a fault are what the case tests, and are not retried. */
  let faults = 0

  let pendingInVain = 0
  const waitUntilFinal = waitingUntilFinal((deltaMs) => wait('pending', deltaMs), realTime)
  const untilFinal: UntilFinal = async (first, again) => {
    if (pendingInVain >= PENDING_IN_VAIN_MAX) return first
    const answer = await waitUntilFinal(first, again)
    if (answer.status === 202) pendingInVain += 1
    return answer
  }

  const isQuoteOfChain = ({ path }: HttpRequest) => path.startsWith('/api/v1/quote')
  const impatient: Transport = async (request) => {
    const response = await transport(request)
    // A memo may have answered from before the chain changed, so the next quote must outlast the memo.
    if (stateOfChain !== null && isQuoteOfChain(request))
      lastQuotes.set(request.path, { state: UNKNOWN_STATE, atMs: realTime.nowMs() })
    return response
  }
  const unmemoized: Transport = async (request) => {
    if (stateOfChain === null || !isQuoteOfChain(request)) return transport(request)
    const state = await stateOfChain()
    const last = lastQuotes.get(request.path)
    if (last !== undefined && last.state !== state)
      await wait('memo', last.atMs + MEMO_OVER_MS - realTime.nowMs())
    const response = await transport(request)
    lastQuotes.set(request.path, { state, atMs: realTime.nowMs() })
    return response
  }
  const obedient: Transport = async (request) => {
    let waitedMs = 0
    let hasRetried = false
    for (;;) {
      const response = await unmemoized(request)
      if (UNAVAILABLE.has(response.status) && faults === 0 && !hasRetried) {
        hasRetried = true
        await wait(
          'unavailable',
          Math.min(retryAfterMs(response.headers, realTime.nowMs()) ?? UNAVAILABLE_MS, UNAVAILABLE_MAX_MS),
        )
        continue
      }
      if (response.status !== 429) return response
      const waitMs = retryAfterMs(response.headers, realTime.nowMs()) ?? BUDGET_WAIT_MS
      waitedMs += waitMs
      if (waitedMs > budgetWaitMaxMs) return response
      await wait('budget', waitMs)
    }
  }

  return {
    isReal: true,
    clock: { nowMs: () => realTime.nowMs() + clockAheadMs },
    transport: (patience) => (patience === 'none' ? impatient : obedient),
    pass: (deltaMs) => wait('time', deltaMs),
    untilFinal,
    unmemoized: async () => {
      // No quote has carried it for some thousand quotes.
      slippages += 1
      const free = LIMITS.slippageBps.max - FIRST_FREE_SLIPPAGE_BPS
      return { slippageBps: FIRST_FREE_SLIPPAGE_BPS + (slippages % free) }
    },
    // The clients wait if the chain changed since the last such quote.
    outlastMemo: () => {},
    endMemo: () => wait('memo', MEMO_OVER_MS),
    // No wait in advance: the clients wait where a budget is exhausted.
    outlastBudget: async () => {},
    takeWaitedMs: (): WaitedMs => {
      const taken = waited
      waited = {}
      return taken
    },
    counted: (line) => {
      let sinceMs: number | null = null
      return {
        inject: async (kind) => {
          await line.inject(kind)
          if (sinceMs === null) faults += 1
          sinceMs ??= realTime.nowMs()
        },
        restore: async () => {
          await line.restore()
          if (sinceMs === null) return
          count('line', realTime.nowMs() - sinceMs)
          faults -= 1
          sinceMs = null
        },
        interrupt: line.interrupt,
      }
    },
  }
}
