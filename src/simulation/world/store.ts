import { type Store, StoreUnavailableError } from '../../service/testing.ts'
import type { FaultKind } from '../faults/faults.ts'

/** `answer-lost`: the work is done, and its result is lost on the way. */
export type StoreFault = { readonly kind: FaultKind<'store', 'scenario step'> }
export type StoreMethod = Exclude<keyof Store, 'close'>

export interface StoreHooks {
  /** Called before each call of the service. */
  decide?(method: StoreMethod): StoreFault | null
}

/** The service's store inside a simulation, in which a run decides the faults of its calls. */
export interface SimulatedStore extends Store {
  hooks: StoreHooks
}

const METHODS: Readonly<Record<StoreMethod, true>> = {
  findKeyByHash: true,
  insertKey: true,
  revokeKey: true,
  listKeys: true,
  insertBuild: true,
  findBuild: true,
  removeUnreportedBuilds: true,
  findAttributionByBuild: true,
  findAttributionByTransaction: true,
  recordAttribution: true,
  spendBudget: true,
  metrics: true,
  ping: true,
}

/** Returns the same store, with each call made by `around`; `close` is passed on unchanged. */
export function wrapStore(
  inner: Store,
  around: <Result>(method: StoreMethod, call: () => Promise<Result>) => Promise<Result>,
): Store {
  const wrapped = Object.keys(METHODS).map((name) => {
    const method = name as StoreMethod
    const call = (...args: readonly unknown[]): Promise<unknown> =>
      around<unknown>(method, () => Reflect.apply(inner[method], inner, args))
    return [method, call] as const
  })
  return { ...(Object.fromEntries(wrapped) as unknown as Store), close: () => inner.close() }
}

/** Returns the same store with faults on the way to it; `close` never fails. */
export function createSimulatedStore(inner: Store): SimulatedStore {
  const store: SimulatedStore = {
    hooks: {},
    ...wrapStore(inner, async (method, call) => {
      const fault = store.hooks.decide?.(method) ?? null
      if (fault?.kind === 'down') throw new StoreUnavailableError('the store is down')
      const result = await call()
      if (fault?.kind === 'answer-lost') throw new StoreUnavailableError('the answer was lost')
      return result
    }),
  }
  return store
}
