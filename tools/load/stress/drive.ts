import autocannon, { type AutocannonClient } from 'autocannon'

export interface StressRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

/** Requests on a number of connections: one at a time on each, and the next as soon as there is an answer, also after a refusal. */
export interface Stress {
  /** Makes the next request. */
  readonly request: () => StressRequest
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly durationS: number
  /** At most so many requests a second on each connection. */
  readonly perS?: number
}

export interface Driven {
  /** Answers with 200 or 202. */
  readonly served: number
  readonly servedPerS: number
  /** Of the answers that were served. */
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** Answers with 429, 502 and 503 and `Retry-After`. */
  readonly refused: number
  /** Every other answer, by its status; `none`: connections that were refused or cut off, and requests without an answer in time. */
  readonly failed: Readonly<Record<string, number>>
}

/** A client that gets no answer for so long gives up. */
const CLIENT_TIMEOUT_S = 60
const SAMPLE_MS = 100
const REFUSALS: ReadonlySet<number> = new Set([429, 502, 503])
const SERVED: ReadonlySet<number> = new Set([200, 202])

/** Sends requests for a while, and waits until the last one is answered: a late answer must not go unnoticed. */
export async function drive(url: string, stress: Stress): Promise<Driven> {
  const { connections, durationS, headers } = stress
  const failed: Record<string, number> = {}
  let [sent, answered, served, servedInTime, refused] = [0, 0, 0, 0, 0]
  const clients: AutocannonClient[] = []
  const startedMs = performance.now()
  // A busy machine is late itself: what was served counts for the time that it took.
  let tookMs: number | null = null
  setTimeout(() => {
    tookMs = performance.now() - startedMs
    // Each ends when its request is answered.
    for (const client of clients) client.responseMax = 1
  }, durationS * 1_000)
  const setupRequest = (defaults: object) => {
    sent += 1
    const request = stress.request()
    const type = request.body === undefined ? {} : { 'content-type': 'application/json' }
    return { ...defaults, ...request, headers: { ...headers, ...type } }
  }
  const onResponse = (status: number, _body: string, _context: object, fields: object) => {
    answered += 1
    if (SERVED.has(status)) {
      served += 1
      if (tookMs === null) servedInTime += 1
    } else if (REFUSALS.has(status) && Object.keys(fields).some((name) => /^retry-after$/i.test(name)))
      refused += 1
    else failed[status] = (failed[status] ?? 0) + 1
  }
  const { errors, latency } = await autocannon({
    ...{
      url,
      connections,
      duration: durationS + CLIENT_TIMEOUT_S,
      timeout: CLIENT_TIMEOUT_S,
      sampleInt: SAMPLE_MS,
    },
    // The times are those of answers with 2xx alone.
    ...{ excludeErrorStats: true, connectionRate: stress.perS },
    setupClient: (client: AutocannonClient) => clients.push(client),
    requests: [{ setupRequest, onResponse }],
  })
  // A connection that ends without an answer is opened again, and counted nowhere.
  const none = Math.max(errors, sent - answered)
  if (none > 0) failed.none = none
  return {
    served,
    servedPerS: (servedInTime * 1_000) / (tookMs ?? Number.NaN),
    latencyMs: latency,
    refused,
    failed,
  }
}
