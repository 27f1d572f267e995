import { AsyncLocalStorage } from 'node:async_hooks'

/** The value of some work; undefined once the work has ended. */
interface Held<Value> {
  value: Value | undefined
}

/**
 * Holds a value for everything that an asynchronous function calls, until its promise settles; callbacks that outlive the promise
 * find no value. In Node 20 and 22, Node tracks every promise of the process while a value is held, which makes promises several
 * times as expensive, so tracking is disabled when the last work ends.
 */
export class AsyncContext<Value> {
  readonly #storage = new AsyncLocalStorage<Held<Value>>()
  #running = 0

  /** The value of the current work; undefined outside of any. */
  get value(): Value | undefined {
    return this.#storage.getStore()?.value
  }

  /** Runs `work`, which finds `value` until its promise settles. @returns the same promise. */
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
