import autocannon, { type AutocannonClient } from 'autocannon'

export interface StressRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

/** Sequential requests on each of several connections, each sent as soon as the last one is answered or refused. */
export interface Stress {
  /** Returns the next request. */
  readonly request: () => StressRequest
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly durationS: number
  /** Maximum number of requests per second on each connection. */
  readonly perS?: number
}

export interface Driven {
  /** Number of responses with 200 or 202. */
  readonly served: number
  readonly servedPerS: number
  /** Latency of served requests. */
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** Number of responses with 429, 502 or 503 and `Retry-After`. */
  readonly refused: number
  /** Number of other responses by status; `none`: connections refused or cut off, and requests without a response in time. */
  readonly failed: Readonly<Record<string, number>>
}

/** Time after which a client without a response gives up. */
const CLIENT_TIMEOUT_S = 60
const SAMPLE_MS = 100
const REFUSALS: ReadonlySet<number> = new Set([429, 502, 503])
const SERVED: ReadonlySet<number> = new Set([200, 202])

/** Sends requests for a while, and waits until the last one is answered, so that no late response is missed. */
export async function drive(url: string, stress: Stress): Promise<Driven> {
  const { connections, durationS, headers } = stress
  const failed: Record<string, number> = {}
  let [sent, answered, served, servedInTime, refused] = [0, 0, 0, 0, 0]
  const clients: AutocannonClient[] = []
  const startedMs = performance.now()
  // On a busy machine the timer is late, so the rate uses the time that actually passed.
  let tookMs: number | null = null
  setTimeout(() => {
    tookMs = performance.now() - startedMs
    // Each client ends when its request is answered.
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
    // Measures latency for responses with 2xx only.
    ...{ excludeErrorStats: true, connectionRate: stress.perS },
    setupClient: (client: AutocannonClient) => clients.push(client),
    requests: [{ setupRequest, onResponse }],
  })
  // autocannon reopens a connection that ends without a response, and does not count it.
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
