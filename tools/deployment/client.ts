import type { Journal } from './journal.ts'
import type { ClientKey } from './keys.ts'

export interface Reply {
  readonly status: number
  readonly body: unknown
  /** The header `Retry-After`, 0 without one. */
  readonly retryAfterMs: number
}

/** Longer than the longest time that the specification allows, §8: 30 s for a build. */
const TIMEOUT_MS = 40_000

export type Endpoint = 'quote' | 'build' | 'confirm' | 'report'

const PATHS: Readonly<Record<Endpoint, string>> = {
  quote: '/api/v1/quote',
  build: '/api/v1/swap/build',
  confirm: '/api/v1/swap/confirm',
  report: '/api/v1/partner/report',
}

/** Where requests go, and what is written of each. */
export interface Wire {
  readonly journal: Pick<Journal, 'requests' | 'durationsMs' | 'unexpected'>
  readonly key: ClientKey
  readonly baseUrl: string
}

/**
 * Sends one request, once.
 *
 * @returns null when no whole answer arrived: the connection was refused or broke.
 */
export async function send(
  { journal, key, baseUrl }: Wire,
  endpoint: Endpoint,
  content: Readonly<Record<string, unknown>>,
): Promise<Reply | null> {
  const startedMs = performance.now()
  const url = new URL(PATHS[endpoint], baseUrl)
  const isRead = endpoint === 'quote' || endpoint === 'report'
  if (isRead) for (const [name, value] of Object.entries(content)) url.searchParams.set(name, String(value))
  const count = (outcome: string) => {
    const name = `${endpoint} ${outcome}`
    journal.requests.set(name, (journal.requests.get(name) ?? 0) + 1)
  }
  try {
    const response = await fetch(url, {
      method: isRead ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key.secret}`,
        ...(isRead ? {} : { 'content-type': 'application/json' }),
      },
      ...(isRead ? {} : { body: JSON.stringify(content) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const body: unknown = await response.json()
    count(String(response.status))
    const durations = journal.durationsMs.get(endpoint) ?? []
    durations.push(performance.now() - startedMs)
    journal.durationsMs.set(endpoint, durations)
    return {
      status: response.status,
      body,
      retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1_000,
    }
  } catch (error) {
    count('none')
    if (error instanceof Error && error.name === 'TimeoutError')
      journal.unexpected.push(`${endpoint}: neither an answer nor an end within ${TIMEOUT_MS / 1_000} s`)
    return null
  }
}
