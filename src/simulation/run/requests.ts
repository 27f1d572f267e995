import type { HttpResponse } from '../../spec/exchange.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import type { StepOf } from '../steps/steps.ts'
import type { Crash } from '../world/life.ts'
import type { World } from '../world/world.ts'
import type { Ask, Exchanges, ScenarioRequest } from './exchanges.ts'
import { untilQuiet } from './quiescence.ts'

export interface RequestHooks {
  /** Runs the steps that were planned for a moment during a request. */
  readonly runSteps: (meanwhile: StepOf<'meanwhile'>) => Promise<void>
  /** Sends a request to the service, which may end before it responds. */
  readonly ask: Ask
}

/** Maximum number of consecutive rounds without progress before the run stops. */
const IDLE_ROUNDS_MAX = 1_000
const KEPT_HEADERS = ['cache-control', 'content-type', 'retry-after', 'www-authenticate'] as const

/**
 * Sends requests to a service in this process: injects planned faults, steps and crashes during them, and advances the clock
 * when the service only waits for it.
 */
export class ScenarioRequests implements Exchanges {
  readonly #world: World
  readonly #faults: FaultPlan
  readonly #hooks: RequestHooks
  #planned: StepOf<'meanwhile'>[] = []
  #active: StepOf<'meanwhile'>[] = []
  /** The first error of planned steps during the current request. */
  #broken: { readonly error: unknown } | null = null
  readonly #late: StepOf<'meanwhile'>[] = []
  #crash: Crash | null = null
  #missedCrashes = 0
  #sent = 0
  #trips = 0
  /** Requests without a response, and steps in progress during one. */
  #open = 0
  #happening = 0
  #driven = false

  /** Replaces the hooks of the world's line and store. */
  constructor(world: World, faults: FaultPlan, hooks: RequestHooks) {
    this.#world = world
    this.#faults = faults
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

  get sent(): number {
    return this.#sent
  }

  /** Plans steps to run during the next request. */
  plan(meanwhile: StepOf<'meanwhile'>): void {
    this.#planned.push(meanwhile)
  }

  /** Plans a crash of the service during the next request. */
  planCrash(crash: Crash): void {
    this.#crash = crash
  }

  /** Number of planned crashes whose request made too few calls. */
  get missedCrashes(): number {
    return this.#missedCrashes + (this.#crash === null ? 0 : 1)
  }

  /**
   * Returns null when the service crashed before it responded; by then it has restarted.
   *
   * @throws {RangeError} it made too few round trips for the planned steps.
   */
  async send(request: ScenarioRequest): Promise<HttpResponse | null> {
    // A request that is sent during another one leaves the other's planned steps alone.
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
    const broken = this.#broken
    this.#broken = null
    if (broken !== null) throw broken.error
    for (const meanwhile of missed) {
      if (!meanwhile.orAfterwards) {
        const { trip } = meanwhile
        throw new RangeError(
          `the request made ${trips} round trips, so the steps for round trip ${trip} did not run`,
        )
      }
      this.#late.push(meanwhile)
    }
    return answer
  }

  /** Runs the steps planned with `orAfterwards` whose round trip the last request did not make. */
  async runLate(): Promise<void> {
    for (const meanwhile of this.#late.splice(0)) await this.#hooks.runSteps(meanwhile)
  }

  /** No steps can be planned for these requests: it is unknown which round trip belongs to which request. */
  async sendAtOnce(
    requests: readonly ScenarioRequest[],
    order: readonly number[] | null,
  ): Promise<readonly (HttpResponse | null)[]> {
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

  /** A crash is planned for one request; when the request makes too few calls, the crash is missed. */
  #planCrashNow(): void {
    if (this.#open > 0) return
    this.#world.life.plan(this.#crash)
  }

  async #exchange(request: ScenarioRequest): Promise<HttpResponse | null> {
    const { life } = this.#world
    this.#open += 1
    this.#sent += 1
    try {
      const response = await Promise.race([this.#hooks.ask(request), life.crashed.then(() => null)])
      if (response === null) {
        await this.#startAgain(life)
        return null
      }
      return { status: response.status, headers: keptOf(response.headers), body: response.body }
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

  /** Restarts the service that crashed, unless another of its requests has done so. */
  async #startAgain(ended: World['life']): Promise<void> {
    const crash = this.#crash
    if (this.#world.life !== ended || crash === null) return
    this.#crash = null
    this.#faults.strike(`crash ${crash.when}`)
    // Calls of the crashed service are still in progress; they must end before the restarted one sends any.
    await this.#quiet()
    this.#happening += 1
    await this.#world.restart()
    this.#happening -= 1
  }

  /**
   * Waits until the service is idle, then does as `next` says: stop, wait again for the work it has just started, or advance
   * the clock to the next timer.
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
      throw new Error(
        'a request has no response, and the service waits neither for its ports nor for the clock',
      )
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
    try {
      for (const meanwhile of now) await this.#hooks.runSteps(meanwhile)
    } catch (error) {
      // Thrown here, it would reach the service as an error of its line, and the resulting response would be judged.
      this.#broken ??= { error }
    }
    this.#happening -= 1
  }
}

function keptOf(headers: Readonly<Record<string, unknown>>): HttpResponse['headers'] {
  const kept = KEPT_HEADERS.filter((name) => headers[name] !== undefined)
  return Object.fromEntries(kept.map((name) => [name, String(headers[name])]))
}

/** Returns a function that sends the requests of steps directly to the service of a world. */
export function askService(world: Pick<World, 'app'>): Ask {
  return async ({ method, path, secret, body }) => {
    const {
      statusCode,
      headers,
      body: text,
    } = await world.app.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${secret}` },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    return { status: statusCode, headers: keptOf(headers), body: text }
  }
}
