import type {
  Attribution,
  BudgetSpend,
  Build,
  BuildPage,
  BuildPosition,
  KeyRecord,
  PartnerMetrics,
} from './records.ts'

/** The service's only source of time. */
export interface Clock {
  /** Returns the wall-clock time in epoch milliseconds. The clock can be set, so it may jump forward and back. */
  nowMs(): number
  /** Returns milliseconds since an arbitrary moment. Never goes back: differences are durations. */
  monotonicMs(): number
  /** Calls back once after `delayMs`; the returned function cancels the call. */
  after(delayMs: number, callback: () => void): () => void
}

/** Creates identifiers that are never repeated. */
export interface Ids {
  uuid(): string
  /** Returns 32 random bytes as lower-case hex, for the secrets of keys. */
  secret(): string
}

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A node's reply to one call. An error here is reported by the node, such as a revert; it is not a connection failure. */
export type RpcReply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly data?: unknown }

/**
 * The chain, as one JSON-RPC endpoint. One `send` is one round trip for all its calls; replies are in the order of the calls.
 *
 * @throws {ChainUnavailableError} no reply within `timeoutMs`, a connection failure, or a reply that is not JSON-RPC.
 */
export interface Chain {
  send(calls: readonly RpcCall[], options: { readonly timeoutMs: number }): Promise<readonly RpcReply[]>
}

/** A structured log. Fields never contain a key. */
export interface Log {
  info(event: string, fields: Record<string, unknown>): void
  warn(event: string, fields: Record<string, unknown>): void
  error(event: string, fields: Record<string, unknown>): void
}

export type RecordOutcome = 'recorded' | 'already-recorded' | 'build-taken' | 'transaction-taken'

/**
 * The service's storage. Each method is one atomic step, safe against other processes on the same database.
 *
 * @throws {StoreUnavailableError} the database cannot be reached, or refused for a transient reason.
 */
export interface Store {
  /** Returns the key with this SHA-256 of its secret, active or revoked, or null. */
  findKeyByHash(secretSha256: string): Promise<KeyRecord | null>
  insertKey(key: KeyRecord): Promise<void>
  /** Marks a key revoked; false if no active key has this id. */
  revokeKey(keyId: string, revokedAtMs: number): Promise<boolean>
  listKeys(): Promise<readonly KeyRecord[]>

  insertBuild(build: Build): Promise<void>
  /** Returns the build with this id that this key made, or null (§5: a build belongs to one key). */
  findBuild(buildId: string, keyId: string): Promise<Build | null>

  /**
   * Removes the builds of a page to which no transaction is credited. `last` is the position of the page's last build, kept or
   * removed; null when the page is empty.
   */
  removeUnreportedBuilds(
    page: BuildPage,
  ): Promise<{ readonly removed: number; readonly last: BuildPosition | null }>
  findAttributionByBuild(buildId: string): Promise<Attribution | null>
  findAttributionByTransaction(txHash: string): Promise<Attribution | null>
  /** Credits one transaction to one build, both at most once, in one database transaction (§4.3, §7 409). */
  recordAttribution(attribution: Attribution): Promise<RecordOutcome>

  /** Counts one request against the partner's budget in the window that contains `nowMs` (§8). */
  spendBudget(spend: BudgetSpend): Promise<{ readonly spent: number; readonly resetsAtMs: number }>

  /** Returns the totals of one key (§4.3 rule 8). */
  metrics(keyId: string): Promise<PartnerMetrics>

  /** Checks that the database can be read, from storage and not from a cache, and, if `writes` is true, written. */
  ping(check?: { readonly writes: boolean }): Promise<void>
  close(): Promise<void>
}
