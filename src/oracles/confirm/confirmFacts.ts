import type { RequirementId } from '../../spec/requirements/index.ts'

/** Facts of a build. Hex in any letter case. */
export interface BuildFacts {
  readonly sender: string
  readonly target: string
  readonly calldata: string
  readonly valueRaw: bigint
  readonly createdAtMs: number
  /** `validUntil`, read by `parseValidUntil`. */
  readonly validUntilMs: number
}

/** The state of a transaction on the canonical chain at one moment. */
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

/** The outcomes that a case can intend for a report, by status. */
export const INTENDED_STATUS = {
  recorded: 200,
  pending: 202,
  conflict: 409,
  rejected: 422,
  limited: 429,
} as const

/** All facts that determine the response to a report, at the time of the report. */
export interface ReportFacts {
  /** The malformed part of the request, if any. */
  readonly malformed: 'json' | 'build-id' | 'tx-hash' | null
  readonly key: KeyState
  /** The build that `buildId` names, made by any key; null: there is none. */
  readonly build: BuildFacts | null
  readonly madeByThisKey: boolean
  /** True if the report's build id differs from the build's in letter case. Default: false. */
  readonly buildIdInOtherCase?: boolean
  /** Credits by earlier reports: of this pair, and of its build or its transaction in another pair. */
  readonly credited: {
    readonly thisPair: boolean
    readonly buildElsewhere: boolean
    readonly transactionElsewhere: boolean
    /** True if this pair's credit, or a credit in conflict with it, was reorganised away afterwards. */
    readonly reorganisedAway: boolean
    /** True if the transaction of such a credit is now in another block than when it was recorded. Default: false. */
    readonly inAnotherBlock?: boolean
    /** Possible credits by reports whose responses were lost: of this pair, or of its build or transaction in another pair. */
    readonly perhaps: { readonly thisPair: boolean; readonly elsewhere: boolean }
  }
  /** The partner's request budget; `unknown`: it was not counted. */
  readonly budget: 'left' | 'spent' | 'unknown'
  /** `available`: the service can reach its chain and its store. */
  readonly verification: 'available' | 'unavailable'
  readonly transaction: TransactionFacts
  /** True if the transaction was in another block at the time of an earlier report. */
  readonly blockChanged: boolean
  /**
   * True if a service that tracks the block of a transaction, by transaction, build or key, may see the present block for the
   * first time at this report, after another one.
   */
  readonly blockIsNew: boolean
  readonly headNumber: bigint
  readonly headTimestampS: bigint
  /** Further clauses that this report was staged for; they pass or fail with those that determine the response. */
  readonly exercises: readonly RequirementId[]
  /** The one outcome that this report was staged for, if its facts allow others too. */
  readonly mustBe?: keyof typeof INTENDED_STATUS | undefined
}
