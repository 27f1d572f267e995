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
  /** The time of the world, in epoch milliseconds. It is set from outside, and so may step forward and back. */
  nowMs(): number
  /** Milliseconds since some moment. Never goes back: differences of it are durations. */
  monotonicMs(): number
  /** Calls back once after `delayMs`; the returned function cancels the call. */
  after(delayMs: number, callback: () => void): () => void
}

/** Fresh identifiers. */
export interface Ids {
  uuid(): string
  /** 32 random bytes as lower-case hex, for the secrets of keys. */
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
 * The chain, as one JSON-RPC endpoint. One `send` is one round trip, however many calls it has; replies are
 * in the order of the calls.
 *
 * @throws {ChainUnavailableError} no reply within `timeoutMs`, a connection failure, or a reply that is not JSON-RPC.
 */
export interface Chain {
  send(calls: readonly RpcCall[], options: { readonly timeoutMs: number }): Promise<readonly RpcReply[]>
}

/** One line of the structured log. Fields never contain a key. */
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
  /** Returns the key with this SHA-256 of its secret, whatever its state, or null. */
  findKeyByHash(secretSha256: string): Promise<KeyRecord | null>
  insertKey(key: KeyRecord): Promise<void>
  /** Marks a key revoked; false when there is no such active key. */
  revokeKey(keyId: string, revokedAtMs: number): Promise<boolean>
  listKeys(): Promise<readonly KeyRecord[]>

  insertBuild(build: Build): Promise<void>
  /** Returns the build with this id that this key made, or null (§5: a build belongs to one key). */
  findBuild(buildId: string, keyId: string): Promise<Build | null>

  /**
   * Removes those builds of a page to which no transaction is credited. `last` is the place of the page's last build, kept or
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

  /** §4.3 rule 8: the totals of one key. */
  metrics(keyId: string): Promise<PartnerMetrics>

  /** Checks that the database can be read, as it is stored and not as this process remembers it, and where asked that it can be written. */
  ping(check?: { readonly writes: boolean }): Promise<void>
  close(): Promise<void>
}
