import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it, vi } from 'vitest'
import { AsyncContext } from './asyncContext.ts'

/** Returns a promise with the function that resolves it. */
function laterPromise() {
  let resolve = () => {}
  const promise = new Promise<void>((resolved) => {
    resolve = resolved
  })
  return { promise, resolve: () => resolve() }
}

/** Returns the value of the context once `promise` has settled. */
async function valueAfter<Value>(
  context: AsyncContext<Value>,
  promise: Promise<unknown>,
): Promise<Value | undefined> {
  await promise
  return context.value
}

describe('a context', () => {
  it('gives concurrent works their own values, however late', async () => {
    const context = new AsyncContext<number>()
    const [first, second] = [laterPromise(), laterPromise()]
    const one = context.run(1, () => valueAfter(context, first.promise))
    const other = context.run(2, () => valueAfter(context, second.promise))
    second.resolve()
    expect(await other).toBe(2)
    first.resolve()
    expect(await one).toBe(1)
    expect(context.value).toBeUndefined()
  })

  it('has Node track promises until its last work has ended, even if that failed', async () => {
    const disable = vi.spyOn(AsyncLocalStorage.prototype, 'disable')
    const context = new AsyncContext<number>()
    const late = laterPromise()
    const lasting = context.run(1, () => late.promise)
    await expect(context.run(2, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    const thrown = () => {
      throw new Error('immediately')
    }
    expect(() => context.run(3, thrown)).toThrow('immediately')
    expect(disable).not.toHaveBeenCalled()
    late.resolve()
    await lasting
    expect(disable).toHaveBeenCalledOnce()
    await context.run(4, async () => undefined)
    expect(disable).toHaveBeenCalledTimes(2)
  })
})
