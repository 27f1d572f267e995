import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * A value that the work of a call finds in whatever it calls, however late. While any work runs in one, Node follows every
 * promise of the process, which makes each cost several times as much: following ends with the last work.
 */
export class AsyncContext<Value> {
  readonly #storage = new AsyncLocalStorage<Value>()
  #running = 0

  /** The value of the work that is running; undefined outside of any. */
  get value(): Value | undefined {
    return this.#storage.getStore()
  }

  /** Runs `work`, which finds `value` until its promise settles. @returns that very promise. */
  run<Result>(value: Value, work: () => Promise<Result>): Promise<Result> {
    this.#running += 1
    try {
      const result = this.#storage.run(value, work)
      result.then(this.#end, this.#end)
      return result
    } catch (error) {
      this.#end()
      throw error
    }
  }

  readonly #end = (): void => {
    this.#running -= 1
    if (this.#running === 0) this.#storage.disable()
  }
}
