import type { FaultPlan } from './faultPlan.ts'
import type { LoggedAnswer } from './runLog.ts'
import type { StepOf } from './steps.ts'
import type { World } from './world.ts'

/** One request to the service, under a key. */
export interface StoryRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly secret: string
  readonly body?: unknown
}

/** What was to happen within a request, and the request never came that far. */
class MissedMomentError extends Error {
  override readonly name = 'MissedMomentError'
  constructor(trip: number, trips: number) {
    super(`the request made ${trips} round trips, so nothing happened at round trip ${trip}`)
  }
}

const KEPT_HEADERS = ['cache-control', 'content-type', 'retry-after', 'www-authenticate'] as const

/** The service's side of a story: carries requests, and lets planned faults and steps happen within them. */
export class StoryRequests {
  readonly #world: World
  readonly #runSteps: (meanwhile: StepOf<'meanwhile'>) => Promise<void>
  readonly #onAnswer: (request: StoryRequest, answer: LoggedAnswer) => void
  #planned: StepOf<'meanwhile'>[] = []
  #active: StepOf<'meanwhile'>[] = []
  #trips = 0

  /** Takes over the hooks of the world's line and store. */
  constructor(
    world: World,
    faults: FaultPlan,
    runSteps: (meanwhile: StepOf<'meanwhile'>) => Promise<void>,
    onAnswer: (request: StoryRequest, answer: LoggedAnswer) => void,
  ) {
    this.#world = world
    this.#runSteps = runSteps
    this.#onAnswer = onAnswer
    world.line.hooks = {
      decide: () => faults.decideLine(),
      before: () => this.#happen('before'),
      after: async () => {
        await this.#happen('after')
        this.#trips += 1
      },
    }
    world.store.hooks = { decide: (method) => faults.decideStore(method) }
  }

  /** Plans steps to run within the next request. */
  plan(meanwhile: StepOf<'meanwhile'>): void {
    this.#planned.push(meanwhile)
  }

  /** Whether the next request will be disturbed. */
  get disturbed(): boolean {
    return this.#planned.length > 0
  }

  /**
   * Sends one request and waits for its whole answer.
   *
   * @throws {MissedMomentError} it made too few round trips for what was planned within it.
   */
  async send(request: StoryRequest): Promise<LoggedAnswer> {
    // A request that is sent within another one leaves the other's moments alone.
    const outer = { active: this.#active, trips: this.#trips }
    this.#active = this.#planned
    this.#planned = []
    this.#trips = 0
    const response = await this.#world.app.inject({
      method: request.method,
      url: request.path,
      headers: { authorization: `Bearer ${request.secret}` },
      ...(request.body === undefined ? {} : { payload: request.body as object }),
    })
    const answer: LoggedAnswer = {
      status: response.statusCode,
      headers: Object.fromEntries(
        KEPT_HEADERS.flatMap((name) => {
          const value = response.headers[name]
          return value === undefined ? [] : [[name, String(value)]]
        }),
      ),
      body: response.body,
    }
    this.#onAnswer(request, answer)
    const [missed] = this.#active
    const trips = this.#trips
    this.#active = outer.active
    this.#trips = outer.trips
    if (missed !== undefined) throw new MissedMomentError(missed.trip, trips)
    return answer
  }

  /** Sends several requests at once. Nothing can be planned within them: whose round trip is whose is not told. */
  sendAtOnce(requests: readonly StoryRequest[]): Promise<readonly LoggedAnswer[]> {
    return Promise.all(requests.map((request) => this.send(request)))
  }

  async #happen(when: 'before' | 'after'): Promise<void> {
    const now = this.#active.filter((each) => each.trip === this.#trips && each.when === when)
    this.#active = this.#active.filter((each) => !now.includes(each))
    for (const meanwhile of now) await this.#runSteps(meanwhile)
  }
}
