import type { RoundTrip } from './chain.ts'
import type { Crash } from './life.ts'
import type { LoggedAnswer } from './runLog.ts'
import type { StepOf } from './steps.ts'

/** One request to the service, under a key. */
export interface ScenarioRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly secret: string
  readonly body?: unknown
}

/** How steps send requests to the service. A response is null when the service crashed before it responded. */
export interface Exchanges {
  /** The round trips of the service to its chain so far; none where they cannot be observed. */
  readonly roundTrips: readonly RoundTrip[]
  /** How many requests have been sent so far. */
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

/** Exchanges with a service in this process, where more can happen during a request. */
export interface InsideExchanges extends Exchanges {
  /** Crashes that were planned for requests that made too few calls. */
  readonly missedCrashes: number
  /** Plans steps to run during the next request. */
  plan(meanwhile: StepOf<'meanwhile'>): void
  /** Plans a crash of the service during the next request. */
  planCrash(crash: Crash): void
  /** Runs the steps that were to run during the last request, or otherwise after it. */
  runLate(): Promise<void>
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
