import type { InsideExchanges, StoryRequest } from './exchanges.ts'
import type { FaultPlan } from './faultPlan.ts'
import type { Crash } from './life.ts'
import { untilQuiet } from './quiescence.ts'
import type { LoggedAnswer } from './runLog.ts'
import type { StepOf } from './steps.ts'
import type { World } from './world.ts'

export interface RequestHooks {
  /** Runs the steps of a moment within a request. */
  readonly runSteps: (meanwhile: StepOf<'meanwhile'>) => Promise<void>
  readonly onAnswer: (request: StoryRequest, answer: LoggedAnswer) => void
  /** Told of each crash that struck. */
  readonly onCrash: (crash: Crash) => void
}

/** What was to happen within a request, and the request never came that far. */
class MissedMomentError extends Error {
  override readonly name = 'MissedMomentError'
  constructor(trip: number, trips: number) {
    super(`the request made ${trips} round trips, so nothing happened at round trip ${trip}`)
  }
}

/** Requests have no answer, and the service waits for nothing that this run could give it. */
class StalledError extends Error {
  override readonly name = 'StalledError'
  constructor() {
    super('requests have no answer, and the service waits neither for its ports nor for the clock')
  }
}

/** How often in a row a service may be found waiting for nothing. */
const IDLE_ROUNDS_MAX = 1_000
const KEPT_HEADERS = ['cache-control', 'content-type', 'retry-after', 'www-authenticate'] as const

/**
 * The service's side of a story: carries requests, lets planned faults, steps and crashes happen within them, and moves
 * the clock on when the service does nothing but wait for it.
 */
export class StoryRequests implements InsideExchanges {
  readonly #world: World
  readonly #hooks: RequestHooks
  #planned: StepOf<'meanwhile'>[] = []
  #active: StepOf<'meanwhile'>[] = []
  readonly #late: StepOf<'meanwhile'>[] = []
  #crash: Crash | null = null
  #missedCrashes = 0
  #trips = 0
  /** Requests without an answer, and steps that run within one. */
  #open = 0
  #happening = 0
  #driven = false

  /** Takes over the hooks of the world's line and store. */
  constructor(world: World, faults: FaultPlan, hooks: RequestHooks) {
    this.#world = world
    this.#hooks = hooks
    world.line.hooks = {
      decide: (_calls, _index, timeoutMs) => faults.decideLine(timeoutMs),
      before: () => this.#happen('before'),
      after: async () => {
        await this.#happen('after')
        this.#trips += 1
      },
      held: () => {
        if (this.#driven) return
        void this.#drive(() => (this.#world.line.waiting > 0 && this.#open > 0 ? 'clock' : 'stop'))
      },
    }
    world.store.hooks = { decide: (method) => faults.decideStore(method) }
  }

  get roundTrips() {
    return this.#world.line.roundTrips
  }

  plan(meanwhile: StepOf<'meanwhile'>): void {
    this.#planned.push(meanwhile)
  }

  planCrash(crash: Crash): void {
    this.#crash = crash
  }

  get missedCrashes(): number {
    return this.#missedCrashes + (this.#crash === null ? 0 : 1)
  }

  /**
   * Null when the service ended before it answered; by then it has started again.
   *
   * @throws {MissedMomentError} it made too few round trips for what was planned within it.
   */
  async send(request: StoryRequest): Promise<LoggedAnswer | null> {
    // A request that is sent within another one leaves the other's moments alone.
    const outer = { active: this.#active, trips: this.#trips }
    this.#active = this.#planned
    this.#planned = []
    this.#trips = 0
    this.#planCrashNow()
    const answer = await this.#exchange(request)
    const missed = this.#active
    const trips = this.#trips
    this.#active = outer.active
    this.#trips = outer.trips
    for (const meanwhile of missed) {
      if (!meanwhile.orAfterwards) throw new MissedMomentError(meanwhile.trip, trips)
      this.#late.push(meanwhile)
    }
    return answer
  }

  async runLate(): Promise<void> {
    for (const meanwhile of this.#late.splice(0)) await this.#hooks.runSteps(meanwhile)
  }

  /** Nothing can be planned within them: whose round trip is whose is not told. */
  async sendAtOnce(
    requests: readonly StoryRequest[],
    order: readonly number[] | null,
  ): Promise<readonly (LoggedAnswer | null)[]> {
    this.#planCrashNow()
    if (order === null) return Promise.all(requests.map((request) => this.#exchange(request)))
    const { life } = this.#world
    const waiting: (() => void)[] = []
    life.gate = () =>
      new Promise((resolve) => {
        waiting.push(resolve)
      })
    let open = true
    const answers = Promise.all(requests.map((request) => this.#exchange(request))).finally(() => {
      open = false
    })
    const picks = [...order]
    await this.#drive(() => {
      if (!open) return 'stop'
      if (waiting.length === 0) return 'clock'
      const [next] = waiting.splice((picks.shift() ?? 0) % waiting.length, 1)
      next?.()
      return 'again'
    })
    life.gate = null
    for (const next of waiting) next()
    return answers
  }

  /** A crash is planned for one request: what it does not strike, it misses. */
  #planCrashNow(): void {
    if (this.#open > 0) return
    this.#world.life.plan(this.#crash)
  }

  async #exchange(request: StoryRequest): Promise<LoggedAnswer | null> {
    const { life, app } = this.#world
    this.#open += 1
    try {
      const response = await Promise.race([
        app.inject({
          method: request.method,
          url: request.path,
          headers: { authorization: `Bearer ${request.secret}` },
          ...(request.body === undefined ? {} : { payload: request.body as object }),
        }),
        life.crashed.then(() => null),
      ])
      if (response === null) {
        await this.#startAgain(life)
        return null
      }
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
      this.#hooks.onAnswer(request, answer)
      return answer
    } finally {
      this.#open -= 1
      if (this.#open === 0) this.#forgetCrash()
    }
  }

  #forgetCrash(): void {
    if (this.#crash !== null) this.#missedCrashes += 1
    this.#crash = null
    this.#world.life.plan(null)
  }

  /** Starts the service that ended, unless another of its requests has done so. */
  async #startAgain(ended: World['life']): Promise<void> {
    const crash = this.#crash
    if (this.#world.life !== ended || crash === null) return
    this.#crash = null
    this.#hooks.onCrash(crash)
    // What the ended service had sent is still under way; it must have passed before its successor asks anything.
    await this.#quiet()
    this.#happening += 1
    await this.#world.restart()
    this.#happening -= 1
  }

  /**
   * Waits until the service only waits, then asks what comes next: nothing, what `next` has just let happen, or the time
   * of the next timer.
   */
  async #drive(next: () => 'stop' | 'again' | 'clock'): Promise<void> {
    const { clock, line } = this.#world
    this.#driven = true
    try {
      for (let idle = 0; idle < IDLE_ROUNDS_MAX; idle += 1) {
        await this.#quiet()
        const what = next()
        if (what === 'stop') return
        if (what === 'again') idle = 0
        const dueMs = what === 'clock' && line.waiting > 0 ? clock.nextTimerMs() : null
        if (dueMs === null) continue
        clock.advanceTo(dueMs)
        idle = 0
      }
      throw new StalledError()
    } finally {
      this.#driven = false
    }
  }

  #quiet(): Promise<void> {
    const { line } = this.#world
    return untilQuiet(
      () => this.#world.life.moves + this.#open,
      () => line.sending > 0 || this.#happening > 0,
    )
  }

  async #happen(when: 'before' | 'after'): Promise<void> {
    const now = this.#active.filter((each) => each.trip === this.#trips && each.when === when)
    this.#active = this.#active.filter((each) => !now.includes(each))
    this.#happening += 1
    for (const meanwhile of now) await this.#hooks.runSteps(meanwhile)
    this.#happening -= 1
  }
}
