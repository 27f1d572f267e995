import type { Manifest } from '../spec/manifest.ts'
import type { Chain, Clock, Ids, Log, Store } from './ports.ts'

/** The policy of one running service. Every number has its unit in its name. */
export interface ServicePolicy {
  /** How long a quote's amounts stand (§2.2 `expiresAt`). */
  readonly quoteTtlMs: number
  /** §4.1 rule 3; never longer than `quoteTtlMs`. */
  readonly memoMs: number
  /** The first round trip that asks all venues at once. */
  readonly fanOutTimeoutMs: number
  /** One venue asked alone, after the fan-out failed. */
  readonly venueTimeoutMs: number
  /** One round trip of build or confirm. */
  readonly rpcTimeoutMs: number
  /** Gas that one venue's quote may use on the node. */
  readonly venueGasLimit: bigint
  /** §8: the whole of a quote, and of a build. */
  readonly quoteBudgetMs: number
  readonly buildBudgetMs: number
  readonly attributionWindowMs: number
  readonly confirmations: number
  /** Time between two blocks, for `Retry-After`. */
  readonly blockTimeMs: number
  /** The shared request budget of a partner. */
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
