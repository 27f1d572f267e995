import type { Clock, ServiceDeps } from '../../service/testing.ts'
import { wrapStore } from './store.ts'

/** A planned end of a service without warning: the number of its port call, counted from 0 since the plan was made. */
export interface Crash {
  readonly call: number
  /** `after`: the call itself still happens, and its response is lost. */
  readonly when: 'before' | 'after'
}

/**
 * One life of a service, from its start to its end: all calls between it and its chain and store. A service that has ended does
 * nothing more: its calls are not made, their replies do not arrive, its timers do not fire.
 */
export class Life {
  /** Resolves when a planned crash has happened. */
  readonly crashed: Promise<void>
  /** Called before each port call, which waits for it. Lets a run decide the order of concurrent calls. */
  gate: (() => Promise<void>) | null = null
  #crash: Crash | null = null
  #calls = 0
  #moves = 0
  #alive = true
  #resolveCrashed: () => void = () => {}

  constructor() {
    this.crashed = new Promise((resolve) => {
      this.#resolveCrashed = resolve
    })
  }

  /** Grows with every port call of the service and every reply to it. */
  get moves(): number {
    return this.#moves
  }

  /** Counts port calls from 0 again, and plans an end, or none. */
  plan(crash: Crash | null): void {
    this.#calls = 0
    this.#crash = crash
  }

  kill(): void {
    this.#alive = false
  }

  /** Returns the ports for the service of this life. */
  bind(deps: ServiceDeps): ServiceDeps {
    const { chain, store, clock } = deps
    return {
      ...deps,
      chain: { send: (calls, options) => this.#through(() => chain.send(calls, options)) },
      store: wrapStore(store, (_method, call) => this.#through(call)),
      clock: this.#bindClock(clock),
    }
  }

  #bindClock(clock: Clock): Clock {
    return {
      nowMs: () => clock.nowMs(),
      monotonicMs: () => clock.monotonicMs(),
      after: (delayMs, callback) =>
        clock.after(delayMs, () => {
          if (this.#alive) callback()
        }),
    }
  }

  #through<Result>(call: () => Promise<Result>): Promise<Result> {
    const number = this.#calls
    this.#calls += 1
    this.#moves += 1
    const crash = this.#crash?.call === number ? this.#crash : null
    if (crash?.when === 'before') this.#end()
    if (!this.#alive) return never()
    // Without a gate the call starts in the same turn, as it would outside a life.
    const { gate } = this
    const begun = gate === null ? call() : gate().then(() => (this.#alive ? call() : never()))
    return new Promise((resolve, reject) => {
      const settle = (deliver: () => void): void => {
        this.#moves += 1
        if (crash !== null) this.#end()
        if (this.#alive) deliver()
      }
      begun.then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => settle(() => reject(error as Error)),
      )
    })
  }

  #end(): void {
    if (!this.#alive) return
    this.#alive = false
    this.#resolveCrashed()
  }
}

function never(): Promise<never> {
  return new Promise(() => {})
}
