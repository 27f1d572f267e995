import type { Stream } from '../../../src/simulation/seed.ts'
import { realTime } from '../../../src/targets/realTime.ts'
import type { Address, Chain } from '../setup/chain.ts'
import type { ClientKey } from '../setup/keys.ts'
import type { Journal } from './journal.ts'

/** The state of one client, which works sequentially. */
export interface Client {
  readonly journal: Journal
  readonly chain: Chain
  /** Base URLs of the service's processes. */
  readonly urls: readonly string[]
  /** Determines the client's behaviour. */
  readonly stream: Stream
  /** The account that the node sends transactions for. */
  readonly account: Address
  /** Time at which undecided swaps are abandoned; null: not yet known. */
  readonly endsAtMs: () => number | null
}

export interface Reply {
  readonly status: number
  readonly body: unknown
  /** The header `Retry-After`, in ms; 0 without one. */
  readonly retryAfterMs: number
}

const ENDPOINTS = {
  quote: { method: 'GET', path: '/api/v1/quote' },
  build: { method: 'POST', path: '/api/v1/swap/build' },
  confirm: { method: 'POST', path: '/api/v1/swap/confirm' },
  report: { method: 'GET', path: '/api/v1/partner/report' },
} as const
export type Endpoint = keyof typeof ENDPOINTS

/** Longer than the longest time that the specification allows: 30 s for a build (§8). */
const TIMEOUT_MS = 40_000
/** Pause of a client after a request without a response. */
export const RETRY_MS = { min: 50, max: 400 } as const
/** Statuses after which the specification says to retry. */
export const PASSING: ReadonlySet<number> = new Set([502, 503])

/**
 * Sends a request once to one of the processes, and records a response that no clause allows.
 *
 * @returns null if no complete response arrived: the connection was refused or broke.
 */
export async function send(
  { journal, urls, stream }: Pick<Client, 'journal' | 'urls' | 'stream'>,
  key: ClientKey,
  endpoint: Endpoint,
  content: Readonly<Record<string, unknown>>,
  allowed: ReadonlySet<number> = new Set([200]),
): Promise<Reply | null> {
  const reply = await exchange(journal, stream.pick(urls), key, endpoint, content)
  if (reply !== null && !allowed.has(reply.status) && !PASSING.has(reply.status))
    journal.unexpected.push(`${endpoint}: ${reply.status} ${JSON.stringify(reply.body)}`)
  if (reply === null) await realTime.pass(stream.int(RETRY_MS.min, RETRY_MS.max))
  return reply
}

async function exchange(
  journal: Journal,
  baseUrl: string,
  key: ClientKey,
  endpoint: Endpoint,
  content: Readonly<Record<string, unknown>>,
): Promise<Reply | null> {
  const startedMs = performance.now()
  const { method, path } = ENDPOINTS[endpoint]
  const url = new URL(path, baseUrl)
  if (method === 'GET')
    for (const [name, value] of Object.entries(content)) url.searchParams.set(name, String(value))
  const count = (outcome: string) =>
    journal.exchanges.push({ endpoint, outcome, tookMs: performance.now() - startedMs })
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(content) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body: unknown = await response.json()
    const { status, headers } = response
    count(`${status}`)
    return { status, body, retryAfterMs: Number(headers.get('retry-after') ?? 0) * 1_000 }
  } catch (error) {
    count('none')
    if (error instanceof Error && error.name === 'TimeoutError')
      journal.unexpected.push(`${endpoint}: neither an answer nor an end within ${TIMEOUT_MS / 1_000} s`)
    return null
  }
}
