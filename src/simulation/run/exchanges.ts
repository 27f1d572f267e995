import type { HttpRequest, HttpResponse } from '../../spec/exchange.ts'
import type { RoundTrip } from '../world/chain.ts'

/** One request to the service, under a key. */
export interface ScenarioRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly secret: string
  readonly body?: unknown
}

/** Returns the HTTP request of a step. */
export function httpRequestOf({ method, path, secret, body }: ScenarioRequest): HttpRequest {
  return {
    method,
    path,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  }
}

/** Sends one request of a step to the service. */
export type Ask = (request: ScenarioRequest) => Promise<HttpResponse>

/** Sends the requests of steps to the service. A response is null when the service crashed before it responded. */
export interface Exchanges {
  /** Round trips of the service to its chain so far; empty where they cannot be observed. */
  readonly roundTrips: readonly RoundTrip[]
  /** Number of requests sent so far. */
  readonly sent: number
  /** Sends one request and waits for the whole response. */
  send(request: ScenarioRequest): Promise<HttpResponse | null>
  /**
   * Sends several requests concurrently.
   *
   * @param order picks the next of the service's waiting calls, each time; null: they run as they come.
   */
  sendAtOnce(
    requests: readonly ScenarioRequest[],
    order: readonly number[] | null,
  ): Promise<readonly (HttpResponse | null)[]>
}

/** Returns exchanges with a service without in-process access. */
export function plainExchanges(ask: Ask): Exchanges {
  let sent = 0
  const send = (request: ScenarioRequest): Promise<HttpResponse> => {
    sent += 1
    return ask(request)
  }
  return {
    roundTrips: [],
    get sent() {
      return sent
    },
    send,
    sendAtOnce: (requests) => Promise.all(requests.map(send)),
  }
}
