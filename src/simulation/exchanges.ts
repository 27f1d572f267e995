import type { RoundTrip } from './chain.ts'
import type { Crash } from './life.ts'
import type { LoggedAnswer } from './runLog.ts'
import type { StepOf } from './steps.ts'

/** One request to the service, under a key. */
export interface StoryRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly secret: string
  readonly body?: unknown
}

/** How a story asks its service. An answer is null when the service ended before it gave one. */
export interface Exchanges {
  /** What the service has asked its chain so far; none where nobody can see that. */
  readonly roundTrips: readonly RoundTrip[]
  /** Sends one request and waits for its whole answer. */
  send(request: StoryRequest): Promise<LoggedAnswer | null>
  /**
   * Sends several requests at once.
   *
   * @param order picks the next of the calls that wait for their turn; null: each has it as it comes.
   */
  sendAtOnce(
    requests: readonly StoryRequest[],
    order: readonly number[] | null,
  ): Promise<readonly (LoggedAnswer | null)[]>
}

/** Exchanges with a service in this process, within which more can be made to happen. */
export interface InsideExchanges extends Exchanges {
  /** Crashes that were planned within a request that made too few calls for them. */
  readonly missedCrashes: number
  /** Plans steps to run within the next request. */
  plan(meanwhile: StepOf<'meanwhile'>): void
  /** Plans an end of the service within the next request. */
  planCrash(crash: Crash): void
  /** Runs what was to happen within the last request, or else after it. */
  runLate(): Promise<void>
}

/** Exchanges with a service that is reached over HTTP alone. */
export function outsideExchanges(ask: (request: StoryRequest) => Promise<LoggedAnswer>): Exchanges {
  return {
    roundTrips: [],
    send: ask,
    sendAtOnce: (requests) => Promise.all(requests.map(ask)),
  }
}
