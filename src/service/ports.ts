import type { Attribution, BudgetSpend, Build, KeyRecord, PartnerMetrics } from './records.ts'

/** Time, in epoch milliseconds. Everything the service knows of time comes from here. */
export interface Clock {
  nowMs(): number
  /** Calls back once after `delayMs`; the returned function cancels. */
  after(delayMs: number, callback: () => void): () => void
}

/** Fresh identifiers. */
export interface Ids {
  uuid(): string
  /** 32 random bytes as lower-case hex, for secrets of keys. */
  secret(): string
}

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** What a node answered to one call. An error here is the node's own answer, such as a revert, not a broken line. */
export type RpcReply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly data?: unknown }

/**
 * The chain, as one JSON-RPC endpoint. One `send` is one round trip, whatever the number of calls in it; replies come
 * in the order of the calls.
 *
 * @throws {ChainUnavailableError} no answer in `timeoutMs`, a broken line, or an answer that is not JSON-RPC.
 */
export interface Chain {
  send(calls: readonly RpcCall[], options: { readonly timeoutMs: number }): Promise<readonly RpcReply[]>
}

/** One line of the structured log. Fields never hold a key. */
export interface Log {
  info(event: string, fields: Record<string, unknown>): void
  warn(event: string, fields: Record<string, unknown>): void
  error(event: string, fields: Record<string, unknown>): void
}

export type RecordOutcome = 'recorded' | 'already-recorded' | 'build-taken' | 'transaction-taken'

/**
 * What the service remembers. Each method is one atomic step, safe against other processes on the same database.
 *
 * @throws {StoreUnavailableError} the database cannot be reached or refused the work for a passing reason.
 */
export interface Store {
  /** The key with this SHA-256 of its secret, whatever its state, or null. */
  findKeyByHash(secretSha256: string): Promise<KeyRecord | null>
  insertKey(key: KeyRecord): Promise<void>
  /** Marks a key revoked; false when there is no such active key. */
  revokeKey(keyId: string, revokedAtMs: number): Promise<boolean>
  listKeys(): Promise<readonly KeyRecord[]>

  insertBuild(build: Build): Promise<void>
  /** The build of this id that this key made, or null (§5: a build belongs to one key). */
  findBuild(buildId: string, keyId: string): Promise<Build | null>

  findAttributionByBuild(buildId: string): Promise<Attribution | null>
  findAttributionByTransaction(txHash: string): Promise<Attribution | null>
  /** Credits one transaction to one build, both at most once, in one database transaction (§4.3, §7 409). */
  recordAttribution(attribution: Attribution): Promise<RecordOutcome>

  /** Takes one request from the partner's budget of the window that `nowMs` lies in (§8). */
  spendBudget(spend: BudgetSpend): Promise<{ readonly spent: number; readonly resetsAtMs: number }>

  /** §4.3 rule 8: the totals of one key. */
  metrics(keyId: string): Promise<PartnerMetrics>

  /** A query that proves the database answers, for /healthz. */
  ping(): Promise<void>
  close(): Promise<void>
}
