import type { Goal } from '../../spec/goal.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'

/** A request of a client, as it reached the service. */
export interface ClientRequest {
  readonly endpoint: 'quote' | 'build' | 'confirm' | 'other'
  /** Epoch milliseconds by the clock of the client. */
  readonly sentAtMs: number
  readonly authorization: 'the key' | 'another text' | 'none'
  /** The query of a quote, as texts; otherwise the body. Undefined: it is no JSON. */
  readonly parameters: unknown
  /** The amount as it is written; null: there is none. */
  readonly amountText: string | null
  /** Null: the connection was cut, and the client got no response. */
  readonly response: ClientResponse | null
}

/** A response as the client got it. */
export interface ClientResponse {
  readonly receivedAtMs: number
  readonly status: number
  /** What `Retry-After` says; null: there is no such header. */
  readonly retryAfterMs: number | null
  readonly json: unknown
}

/** A transaction that reached the node. Addresses, data and hashes in lower case. */
export interface ClientTransaction {
  readonly hash: string
  readonly from: string
  /** Null: it creates a contract. */
  readonly to: string | null
  readonly data: string
  /** Wei. */
  readonly valueRaw: bigint
  readonly nonce: number
  /** When it first reached the node. */
  readonly sentAtMs: number
  /** True if the case sent it in the name of the account, as a wallet that replaces a transaction does. */
  readonly byCase: boolean
  /** On the chain at the end; null: it is in no block. */
  readonly mined: { readonly succeeded: boolean; readonly blockNumber: bigint } | null
}

/** How a client ended: as its exit code says, or not at all within its time. */
export type ClientEnding = 'done' | 'refused' | 'failed' | 'not ended'

/** How the holdings of the account changed, in base units. */
export interface ClientBalance {
  readonly symbol: string
  readonly decimals: number
  readonly beforeRaw: bigint
  readonly afterRaw: bigint
}

/** What a client did in one case. */
export interface ObservedClient {
  readonly goal: Goal
  /** The account that swaps, in lower case. */
  readonly account: string
  /** The address of Permit2, in lower case. */
  readonly permit2: string
  readonly requests: readonly ClientRequest[]
  /** In the order in which they first reached the node. */
  readonly transactions: readonly ClientTransaction[]
  readonly ending: ClientEnding
  /** Of its last start; null: it was killed. */
  readonly exitCode: number | null
  /** Why it decided not to swap, as its last line says; null: it says nothing of the kind. */
  readonly reason: string | null
  /** The chain of which the node says that it is. */
  readonly nodeChainId: number
  /** How often it was started. */
  readonly starts: number
  /** Where a key was found that should not be there. */
  readonly leaks: readonly string[]
  readonly balances: readonly ClientBalance[]
}

/** What must become of a goal, and the clauses that a case exercises with it. */
export interface ClientIntent {
  /**
   * `done`: swapped, and recorded where it can be. `not-swapped`: nothing was sent, and the client has ended. `not-done`: whatever the
   * client did, it must not say that it is done. `honest`: `done`, or it says that it failed. `anything`: nothing is asked for.
   */
  readonly mustBe: 'done' | 'not-swapped' | 'not-done' | 'honest' | 'anything'
  /** Of `not-swapped`: what the client must get before there is anything to refuse. Default: a build. */
  readonly refuses?: 'quote' | 'build' | 'node'
  /** They pass or fail with the outcome that is asked for. */
  readonly clauses?: readonly RequirementId[]
  readonly boundaryClasses?: readonly string[]
}
