import type { HttpRequest, HttpResponse } from '../../spec/exchange.ts'
import type { RoundTrip } from '../world/chain.ts'

/** One request to the service, under a key. */
export interface ScenarioRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly secret: string
  readonly body?: unknown
}

/** Returns a request of a step as it is sent. */
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

/** Describes how steps send requests to the service. A response is null when the service crashed before it responded. */
export interface Exchanges {
  /** The round trips of the service to its chain so far; none where they cannot be observed. */
  readonly roundTrips: readonly RoundTrip[]
  /** The number of requests that have been sent so far. */
  readonly sent: number
  /** Sends one request and waits for the whole response. */
  send(request: ScenarioRequest): Promise<HttpResponse | null>
  /**
   * Sends several requests at once.
   *
   * @param order which of the service's waiting calls runs next; null: they run in turn.
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
