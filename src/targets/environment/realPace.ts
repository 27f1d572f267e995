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

/** Twice the "about 1.5 s" of §4.1, and a little: nobody relies on what a quote may still repeat. */
const MEMO_OVER_MS = 3_050
/** How long an exhausted budget is waited for in all, unless a longer one is declared, and where no header says so, in one go. */
const BUDGET_WAIT_MAX_MS = 120_000
const BUDGET_WAIT_MS = 5_000

/** How long a service may be unavailable that nothing was done to (§7: retry with backoff), and how long it is where no header says so. */
const UNAVAILABLE_MAX_MS = 5_000
const UNAVAILABLE_MS = 1_000
/** How many reports may stay pending in vain: then the service is not slow, and the others are not waited for. */
const PENDING_IN_VAIN_MAX = 3

/** The state of no chain. */
const UNKNOWN_STATE = ''

/** The pace of a target in real time, whose waits are counted. */
export interface RealPace extends Pace {
  /** Counts the time that a fault is on the line: a case waits for what its service makes of it. */
  counted(line: Line): Line
}

/**
 * Returns the pace of a target whose memo and budgets cannot be reset: its clients wait where a quote could be answered from
 * before the chain changed, and where a budget is exhausted.
 *
 * @param options.stateOfChain a word for the state that quotes are made from; null where it is unknown
 * @param options.clockAheadMs what the target's clock shows beyond the machine's
 * @param options.budgetWindowS of the budget that the target declares; null: it declares none
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

  /** The lines to the chain that fail at present: what a service responds then is what its case is about. */
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
    // A memo may have answered from before the chain changed: whoever waits next must outlast what it keeps.
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
    // The clients wait where the chain changed since the last such quote.
    outlastMemo: () => {},
    endMemo: () => wait('memo', MEMO_OVER_MS),
    // Not waited for ahead of time: the clients wait where a budget is exhausted.
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
