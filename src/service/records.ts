import type { VenueId } from '../spec/venues.ts'

/** §5: an individual partner key gets attribution; the legacy shared key does not. */
export type KeyKind = 'individual' | 'legacy'

/** A partner's key. The secret itself is never stored. */
export interface KeyRecord {
  readonly keyId: string
  readonly partnerId: string
  readonly kind: KeyKind
  readonly secretSha256: string
  readonly createdAtMs: number
  /** Null while the key is active. */
  readonly revokedAtMs: number | null
}

/** The record of a build for its confirmation: §4.3 rule 1 compares the transaction with exactly this. */
export interface Build {
  readonly buildId: string
  readonly keyId: string
  readonly partnerId: string
  readonly venue: VenueId
  readonly chainId: number
  /** Lower-case address of the signer. */
  readonly sender: string
  /** Lower-case address of the called contract. */
  readonly target: string
  /** Lower-case hex calldata. */
  readonly calldata: string
  readonly valueRaw: bigint
  readonly createdAtMs: number
  /** End of the attribution window, inclusive (§2.5). */
  readonly validUntilMs: number
  readonly tokenIn: string
  readonly tokenOut: string
  readonly amountInRaw: bigint
  readonly minimumOutRaw: bigint
  /** USD value of the input at the server's own price at build time, in millionths; null: unpriced (§4.3 rule 8). */
  readonly notionalUsdMicros: bigint | null
}

/** A transaction credited to a build. */
export interface Attribution {
  readonly buildId: string
  readonly keyId: string
  /** Lower-case hash. */
  readonly txHash: string
  readonly blockNumber: bigint
  readonly blockHash: string
  readonly blockTimestampS: number
  readonly confirmedAtMs: number
}

export interface BudgetSpend {
  readonly partnerId: string
  readonly nowMs: number
  readonly windowMs: number
}

/** A position in the order of builds: by the end of their window, then by id. */
export interface BuildPosition {
  readonly validUntilMs: number
  readonly buildId: string
}

/** The next `limit` builds after a position, of those whose window ended before `endedBeforeMs`. */
export interface BuildPage {
  /** Null: start from the oldest build. */
  readonly after: BuildPosition | null
  readonly endedBeforeMs: number
  readonly limit: number
}

/** Totals of one key (§4.3 rule 8). `notionalUsdMicros` sums the priced builds only. */
export interface PartnerMetrics {
  readonly confirmedSwaps: number
  readonly lastConfirmationMs: number | null
  readonly notionalUsdMicros: bigint
  readonly pricedSwaps: number
  readonly unpricedSwaps: number
}
