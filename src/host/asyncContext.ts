import { AsyncLocalStorage } from 'node:async_hooks'

/** What work finds, until it has ended. */
interface Held<Value> {
  value: Value | undefined
}

/**
 * A value that the work of a call finds in whatever it calls, until its promise settles: what it left behind finds none. In Node 20 and
 * 22, while any work runs in one, every promise of the process is followed, which makes each cost several times as much: following ends
 * with the last work.
 */
export class AsyncContext<Value> {
  readonly #storage = new AsyncLocalStorage<Held<Value>>()
  #running = 0

  /** The value of the work that is running; undefined outside of any. */
  get value(): Value | undefined {
    return this.#storage.getStore()?.value
  }

  /** Runs `work`, which finds `value` until its promise settles. @returns that very promise. */
  run<Result>(value: Value, work: () => Promise<Result>): Promise<Result> {
    this.#running += 1
    const held: Held<Value> = { value }
    const end = (): void => {
      held.value = undefined
      this.#running -= 1
      if (this.#running === 0) this.#storage.disable()
    }
    try {
      const result = this.#storage.run(held, work)
      result.then(end, end)
      return result
    } catch (error) {
      end()
      throw error
    }
  }
}
