import { type Store, StoreUnavailableError } from '../service/testing.ts'
import type { FaultKind } from './faults.ts'

/** `answer-lost`: the work is done, and its result is lost on the way. */
export type StoreFault = { readonly kind: FaultKind<'store', 'scenario step'> }
export type StoreMethod = Exclude<keyof Store, 'close'>

export interface StoreHooks {
  /** Asked before each call of the service. */
  decide?(method: StoreMethod): StoreFault | null
}

/** The service's store inside a simulation: a run decides which of its calls fail, and how. */
export interface SimulatedStore extends Store {
  hooks: StoreHooks
}

/** The same store with faults on the way to it; `close` never fails. */
export function createSimulatedStore(inner: Store): SimulatedStore {
  const faulty =
    <Arguments extends readonly unknown[], Result>(
      method: StoreMethod,
      call: (...args: Arguments) => Promise<Result>,
    ) =>
    async (...args: Arguments): Promise<Result> => {
      const fault = store.hooks.decide?.(method) ?? null
      if (fault?.kind === 'down') throw new StoreUnavailableError('the store is down')
      const result = await call(...args)
      if (fault?.kind === 'answer-lost') throw new StoreUnavailableError('the answer was lost')
      return result
    }
  const store: SimulatedStore = {
    hooks: {},
    findKeyByHash: faulty('findKeyByHash', (hash) => inner.findKeyByHash(hash)),
    insertKey: faulty('insertKey', (key) => inner.insertKey(key)),
    revokeKey: faulty('revokeKey', (keyId, atMs) => inner.revokeKey(keyId, atMs)),
    listKeys: faulty('listKeys', () => inner.listKeys()),
    insertBuild: faulty('insertBuild', (build) => inner.insertBuild(build)),
    findBuild: faulty('findBuild', (buildId, keyId) => inner.findBuild(buildId, keyId)),
    findAttributionByBuild: faulty('findAttributionByBuild', (id) => inner.findAttributionByBuild(id)),
    findAttributionByTransaction: faulty('findAttributionByTransaction', (hash) =>
      inner.findAttributionByTransaction(hash),
    ),
    recordAttribution: faulty('recordAttribution', (credit) => inner.recordAttribution(credit)),
    spendBudget: faulty('spendBudget', (spend) => inner.spendBudget(spend)),
    metrics: faulty('metrics', (keyId) => inner.metrics(keyId)),
    ping: faulty('ping', () => inner.ping()),
    close: () => inner.close(),
  }
  return store
}
