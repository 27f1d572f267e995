import type { RoundTrip } from '../world/chain.ts'
import type { LoggedAnswer } from './runLog.ts'

/** One request to the service, under a key. */
export interface ScenarioRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly secret: string
  readonly body?: unknown
}

/** Describes how steps send requests to the service. A response is null when the service crashed before it responded. */
export interface Exchanges {
  /** The round trips of the service to its chain so far; none where they cannot be observed. */
  readonly roundTrips: readonly RoundTrip[]
  /** The number of requests that have been sent so far. */
  readonly sent: number
  /** Sends one request and waits for the whole response. */
  send(request: ScenarioRequest): Promise<LoggedAnswer | null>
  /**
   * Sends several requests at once.
   *
   * @param order which of the service's waiting calls runs next; null: they run in turn.
   */
  sendAtOnce(
    requests: readonly ScenarioRequest[],
    order: readonly number[] | null,
  ): Promise<readonly (LoggedAnswer | null)[]>
}

/** Exchanges with a service that is reached over HTTP alone. */
export function outsideExchanges(ask: (request: ScenarioRequest) => Promise<LoggedAnswer>): Exchanges {
  let sent = 0
  const send = (request: ScenarioRequest): Promise<LoggedAnswer> => {
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
