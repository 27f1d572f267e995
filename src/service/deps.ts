import type { Manifest } from '../spec/manifest.ts'
import type { Chain, Clock, Ids, Log, Store } from './ports.ts'

export interface ServicePolicy {
  /** Validity of a quote's amounts (§2.2 `expiresAt`). */
  readonly quoteTtlMs: number
  /** §4.1 rule 3; never longer than `quoteTtlMs`. */
  readonly memoMs: number
  /** Timeout of the first round trip, which queries all venues together. */
  readonly fanOutTimeoutMs: number
  /** Timeout of the query to a single venue, after the fan-out failed. */
  readonly venueTimeoutMs: number
  /** Timeout of one round trip of build or confirm. */
  readonly rpcTimeoutMs: number
  /** Gas limit of one venue's quote on the node. */
  readonly venueGasLimit: bigint
  /** Time budgets of a whole quote and a whole build (§8). */
  readonly quoteBudgetMs: number
  readonly buildBudgetMs: number
  readonly attributionWindowMs: number
  /** Time that an unreported build is kept after its window; absent: forever. */
  readonly buildRetentionMs?: number
  readonly confirmations: number
  /** Time between blocks, used for `Retry-After`. */
  readonly blockTimeMs: number
  /** The request budget that the keys of a partner share. */
  readonly budget: { readonly requests: number; readonly windowMs: number }
}

/** External dependencies of the service. */
export interface ServiceDeps {
  readonly policy: ServicePolicy
  readonly manifest: Manifest
  readonly clock: Clock
  readonly ids: Ids
  readonly chain: Chain
  readonly store: Store
  readonly log: Log
}
