import type { RequirementId } from '../../spec/requirements/index.ts'

/** Describes what the build promised, in any case of hex digits. */
export interface BuildFacts {
  readonly sender: string
  readonly target: string
  readonly calldata: string
  readonly valueRaw: bigint
  readonly createdAtMs: number
  /** `validUntil`, read by `parseValidUntil`. */
  readonly validUntilMs: number
}

/** Describes what the canonical chain says of one transaction at one moment. */
export type TransactionFacts =
  | { readonly state: 'unknown' }
  | { readonly state: 'pending' }
  | {
      readonly state: 'mined'
      readonly blockNumber: bigint
      readonly blockHash: string
      readonly blockTimestampS: bigint
      readonly succeeded: boolean
      readonly from: string
      readonly to: string | null
      readonly input: string
      readonly valueRaw: bigint
    }

/** `legacy`: the shared key; `revoked`: it was active when the build was made. */
export type KeyState = 'active' | 'legacy' | 'revoked' | 'invalid'

/** The outcomes that a case can intend for a report, with the status that says each. */
export const INTENDED_STATUS = {
  recorded: 200,
  pending: 202,
  conflict: 409,
  rejected: 422,
  limited: 429,
} as const

/** Everything that decides the answer to one report, as it stands when the report is made. */
export interface ReportFacts {
  /** The malformed part of the request, if any. */
  readonly malformed: 'json' | 'build-id' | 'tx-hash' | null
  readonly key: KeyState
  /** The build that `buildId` names, whoever made it; null: there is none. */
  readonly build: BuildFacts | null
  readonly madeByThisKey: boolean
  /** True if the report writes the id of the build in other letter case than the build did. Default: it does not. */
  readonly buildIdInOtherCase?: boolean
  /** Credits of this very pair, this build, and this transaction by earlier reports. */
  readonly credited: {
    readonly thisPair: boolean
    readonly buildElsewhere: boolean
    readonly transactionElsewhere: boolean
    /** True if a credit that stands in the way, or this pair's own, was reorganised away afterwards. */
    readonly reorganisedAway: boolean
    /** True if the transaction of such a credit is in another block now than at the report that recorded it. Default: no. */
    readonly inAnotherBlock?: boolean
    /** Possible credits of an earlier report whose answer was lost: this pair, or one of its two elsewhere. */
    readonly perhaps: { readonly thisPair: boolean; readonly elsewhere: boolean }
  }
  /** The partner's request budget; `unknown`: nobody counted. */
  readonly budget: 'left' | 'spent' | 'unknown'
  /** True if the service can reach its chain and its store. */
  readonly verification: 'available' | 'unavailable'
  readonly transaction: TransactionFacts
  /** True if an earlier moment saw the transaction in a block that is no longer canonical. */
  readonly blockChanged: boolean
  /**
   * True if a service that follows the block of a transaction, by the transaction, the build or the key, may meet its
   * present block with this report for the first time after another one.
   */
  readonly blockIsNew: boolean
  readonly headNumber: bigint
  readonly headTimestampS: bigint
  /** Further clauses that this report was staged for: they pass and fail with those that decide the answer. */
  readonly exercises: readonly RequirementId[]
  /** The one answer that this report was staged for, where its facts allow others too. */
  readonly mustBe?: keyof typeof INTENDED_STATUS | undefined
}
