import http from 'node:http'
import { createHistogram } from 'node:perf_hooks'

/** One request of a load. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

/** Describes what an endpoint is sent, and when a client is given up on. */
export interface Load {
  /** Returns the request number `count` of the load, from 0. */
  readonly request: (count: number) => LoadRequest
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly durationMs: number
  /** §8: an answer that took longer is counted as late. */
  readonly limitMs: number
}

/** The times of answers, in milliseconds; null when there was none. */
export interface Times {
  readonly count: number
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  readonly maxMs: number | null
}

export interface LoadResult {
  /** Answers with 200 or 202. */
  readonly served: Times
  /** How many of them came each second, from the time at which every client had its first answer. */
  readonly servedPerS: number
  /** Served, but later than the limit. */
  readonly late: number
  /** Answers with `Retry-After` that refuse: 429, 502 and 503. */
  readonly refused: Times
  /** Every other answer, by its status, and connections that were refused or cut off, by the code of the error. */
  readonly failed: Readonly<Record<string, number>>
}

/** A client that gets no answer for so long gives up. */
const CLIENT_TIMEOUT_MS = 60_000
const REFUSALS: ReadonlySet<number> = new Set([429, 502, 503])
/** A client whose connection failed waits this long: reconnecting at once would measure the machine's network. */
const RECONNECT_MS = 100

/**
 * Sends requests on a number of connections, one at a time on each, and the next as soon as there is an answer, also after a
 * refusal: the impatient clients that a service must survive. Returns when the last one is answered.
 */
export async function drive(url: string, load: Load): Promise<LoadResult> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: load.connections })
  const served = createHistogram()
  const refused = createHistogram()
  const failed: Record<string, number> = {}
  let sent = 0
  let inTime = 0
  let late = 0
  // Opening thousands of connections costs the clients as much as the service: the time that is measured starts after it.
  let connecting = load.connections
  let endsAtMs = Number.POSITIVE_INFINITY
  const arrive = () => {
    connecting -= 1
    if (connecting === 0) endsAtMs = performance.now() + load.durationMs
  }

  const count = ({ status, code, refuses }: Outcome, sentMs: number) => {
    const nowMs = performance.now()
    const tookMs = nowMs - sentMs
    if (status === 200 || status === 202) {
      record(served, tookMs)
      if (connecting === 0 && nowMs <= endsAtMs) inTime += 1
      if (tookMs > load.limitMs) late += 1
    } else if (refuses) record(refused, tookMs)
    else failed[code] = (failed[code] ?? 0) + 1
  }
  const client = async () => {
    for (let isFirst = true; performance.now() < endsAtMs; isFirst = false) {
      const request = load.request(sent)
      sent += 1
      const sentMs = performance.now()
      const outcome = await send(url, agent, load.headers, request)
      count(outcome, sentMs)
      if (isFirst) arrive()
      if (outcome.status === null) await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
    }
  }
  await Promise.all(Array.from({ length: load.connections }, client))
  agent.destroy()
  return {
    served: timesOf(served),
    servedPerS: (inTime * 1000) / load.durationMs,
    late,
    refused: timesOf(refused),
    failed,
  }
}

interface Outcome {
  readonly status: number | null
  /** The status, or the code of the error, as text. */
  readonly code: string
  readonly refuses: boolean
}

function send(
  url: string,
  agent: http.Agent,
  headers: Readonly<Record<string, string>>,
  { method, path, body }: LoadRequest,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ status: null, code: error.code ?? error.name, refuses: false })
    const request = http.request(`${url}${path}`, {
      method,
      agent,
      timeout: CLIENT_TIMEOUT_MS,
      headers: {
        ...headers,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      },
    })
    request.on('response', (response) => {
      const status = response.statusCode ?? 0
      const refuses = REFUSALS.has(status) && response.headers['retry-after'] !== undefined
      response.on('end', () => resolve({ status, code: `${status}`, refuses }))
      response.on('error', fail)
      response.resume()
    })
    request.on('timeout', () => request.destroy(Object.assign(new Error('no answer'), { code: 'TIMEOUT' })))
    request.on('error', fail)
    request.end(body)
  })
}

type Histogram = ReturnType<typeof createHistogram>

/** Histograms count whole numbers: microseconds. */
function record(histogram: Histogram, tookMs: number): void {
  histogram.record(Math.max(1, Math.round(tookMs * 1000)))
}

function timesOf(histogram: Histogram): Times {
  const { count, max } = histogram
  if (count === 0) return { count: 0, p50Ms: null, p99Ms: null, maxMs: null }
  return {
    count,
    p50Ms: histogram.percentile(50) / 1000,
    p99Ms: histogram.percentile(99) / 1000,
    maxMs: max / 1000,
  }
}
