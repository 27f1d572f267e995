import type { Manifest } from '../spec/manifest.ts'
import type { Chain, Clock, Ids, Log, Store } from './ports.ts'

/** The policy of a running service. Each name ends with its unit. */
export interface ServicePolicy {
  /** The time for which a quote's amounts are valid (§2.2 `expiresAt`). */
  readonly quoteTtlMs: number
  /** §4.1 rule 3; never longer than `quoteTtlMs`. */
  readonly memoMs: number
  /** Timeout of the first round trip, which queries all venues at once. */
  readonly fanOutTimeoutMs: number
  /** Timeout of the query to a single venue, after the fan-out failed. */
  readonly venueTimeoutMs: number
  /** Timeout of one round trip of build or confirm. */
  readonly rpcTimeoutMs: number
  /** Gas limit of one venue's quote on the node. */
  readonly venueGasLimit: bigint
  /** §8: time budgets of a whole quote and a whole build. */
  readonly quoteBudgetMs: number
  readonly buildBudgetMs: number
  readonly attributionWindowMs: number
  /** The time for which an unreported build is kept after its window; absent: for ever. */
  readonly buildRetentionMs?: number
  readonly confirmations: number
  /** Time between blocks, used for `Retry-After`. */
  readonly blockTimeMs: number
  /** A partner's shared request budget. */
  readonly budget: { readonly requests: number; readonly windowMs: number }
}

/** Everything the service needs from outside. */
export interface ServiceDeps {
  readonly policy: ServicePolicy
  readonly manifest: Manifest
  readonly clock: Clock
  readonly ids: Ids
  readonly chain: Chain
  readonly store: Store
  readonly log: Log
}
