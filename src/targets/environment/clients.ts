import { LIMITS } from '../../spec/limits.ts'
import type { Exchange, HttpRequest, HttpResponse, Transport } from '../exchange.ts'
import { realTime } from '../realTime.ts'
import { createClient, type SwapClient } from './client.ts'
import type { LiveTarget } from './lane.ts'
import type { Waits } from './waits.ts'

/** Twice the "about 1.5 s" of §4.1, and a little: what a quote may still repeat nobody counts on. */
export const MEMO_OVER_MS = 3_050
/** How long an exhausted budget is waited for in all, unless a longer one is declared, and where no header says so, in one go. */
const BUDGET_WAIT_MAX_MS = 120_000
const BUDGET_WAIT_MS = 5_000

/** The state of no chain. */
const UNKNOWN_STATE = ''

/** Below it lie the slippages that cases name. */
const FIRST_SLIPPAGE_BPS = 1_000

export interface LiveClients {
  /** Returns a slippage that no quote has carried for some thousand quotes. */
  unusedSlippageBps(): number
  client(secret: string | null, patience: 'obey-429' | 'none', transcript: Exchange[]): SwapClient
}

/**
 * Clients of a target whose memo and budgets cannot be reset: they wait where a quote could be answered from before the
 * chain changed, and where a budget is exhausted.
 *
 * @param stateOfChain a word for the state that quotes are made from; null where it is unknown
 * @param declared the budget and the report that the target declares
 * @param waits waits for them
 */
export function createLiveClients(
  transport: Transport,
  stateOfChain: (() => Promise<string>) | null,
  { confirmBudget, partnerReport, redact }: Pick<LiveTarget, 'confirmBudget' | 'partnerReport' | 'redact'>,
  waits: Waits,
): LiveClients {
  const budgetWaitMaxMs = Math.max(BUDGET_WAIT_MAX_MS, 2_000 * (confirmBudget?.windowS ?? 0))
  let slippages = 0
  const lastQuotes = new Map<string, { readonly state: string; readonly atMs: number }>()

  const isWatched = ({ path }: HttpRequest) => stateOfChain !== null && path.startsWith('/api/v1/quote')
  const impatient: Transport = async (request) => {
    const response = await transport(request)
    if (stateOfChain === null || !isWatched(request)) return response
    // A memo may have answered from before the chain changed: whoever waits next must outlast what it keeps.
    lastQuotes.set(request.path, { state: UNKNOWN_STATE, atMs: realTime.nowMs() })
    return response
  }
  const unmemoized: Transport = async (request) => {
    if (stateOfChain === null || !isWatched(request)) return transport(request)
    const state = await stateOfChain()
    const last = lastQuotes.get(request.path)
    if (last !== undefined && last.state !== state)
      await waits.pass('memo', last.atMs + MEMO_OVER_MS - realTime.nowMs())
    const response = await transport(request)
    lastQuotes.set(request.path, { state, atMs: realTime.nowMs() })
    return response
  }

  const obedient = async (request: HttpRequest): Promise<HttpResponse> => {
    let waitedMs = 0
    for (;;) {
      const response = await unmemoized(request)
      if (response.status !== 429) return response
      const waitMs = retryAfterMs(response) ?? BUDGET_WAIT_MS
      waitedMs += waitMs
      if (waitedMs > budgetWaitMaxMs) return response
      await waits.pass('budget', waitMs)
    }
  }

  return {
    unusedSlippageBps: () => {
      slippages += 1
      return FIRST_SLIPPAGE_BPS + (slippages % (LIMITS.slippageBps.max - FIRST_SLIPPAGE_BPS))
    },
    client: (secret, patience, transcript) =>
      createClient(patience === 'none' ? impatient : obedient, secret, transcript, partnerReport, redact),
  }
}

/** `Retry-After` in milliseconds: whole seconds, or a date. */
function retryAfterMs({ headers }: HttpResponse): number | null {
  const value = headers['retry-after']
  if (value === undefined) return null
  if (/^\d+$/.test(value)) return Math.max(1, Number(value)) * 1_000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : Math.max(1_000, atMs - realTime.nowMs())
}
