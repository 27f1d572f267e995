import type { Goal } from '../../spec/goal.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'

/** A request of a client, as it reached the service. */
export interface ClientRequest {
  readonly endpoint: 'quote' | 'build' | 'confirm' | 'other'
  /** Epoch milliseconds by the clock of the client. */
  readonly sentAtMs: number
  readonly authorization: 'the key' | 'another text' | 'none'
  /** The query of a quote as strings, or the parsed body of another request; undefined: the body is not JSON. */
  readonly parameters: unknown
  /** The text of the amount as sent; null: there is none. */
  readonly amountText: string | null
  /** Null: the connection was cut, and the client got no response. */
  readonly response: ClientResponse | null
}

/** A response as the client received it. */
export interface ClientResponse {
  readonly receivedAtMs: number
  readonly status: number
  /** The delay in `Retry-After`; null: there is no such header. */
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
  /** Time at which it first reached the node. */
  readonly sentAtMs: number
  /** True if the case sent it from the client's account, like a wallet that replaces a transaction. */
  readonly byCase: boolean
  /** Its result on the chain at the end of the case; null: it is in no block. */
  readonly mined: { readonly succeeded: boolean; readonly blockNumber: bigint } | null
}

/** The ending of a client, by its exit code; `not ended`: it did not exit within its time. */
export type ClientEnding = 'done' | 'refused' | 'failed' | 'not ended'

/** The account's balance of one token before and after the case, in base units. */
export interface ClientBalance {
  readonly symbol: string
  readonly decimals: number
  readonly beforeRaw: bigint
  readonly afterRaw: bigint
}

/** The observed behaviour of a client in one case. */
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
  /** Exit code of its last run; null: it was killed. */
  readonly exitCode: number | null
  /** Its reason not to swap, from its last line of output; null: it gave none. */
  readonly reason: string | null
  /** The chain id that the node reports. */
  readonly nodeChainId: number
  /** Number of times it was started. */
  readonly starts: number
  /** The places where a key was found that must not be there. */
  readonly leaks: readonly string[]
  readonly balances: readonly ClientBalance[]
}

/** The required outcome of a goal, and the clauses that a case exercises with it. */
export interface ClientIntent {
  /**
   * `done`: swapped, and recorded if the build has attribution. `not-swapped`: nothing but approvals was sent, and the exit
   * code is not 0. `not-done`: the exit code is not 0. `honest`: `done` or `not-done`. `anything`: no required outcome.
   */
  readonly mustBe: 'done' | 'not-swapped' | 'not-done' | 'honest' | 'anything'
  /** For `not-swapped`: the response that the client must receive before it can refuse. Default: a build. */
  readonly refuses?: 'quote' | 'build' | 'node'
  /** Clauses that pass or fail with the required outcome. */
  readonly clauses?: readonly RequirementId[]
  readonly boundaryClasses?: readonly string[]
}
