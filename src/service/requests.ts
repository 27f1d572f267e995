import type { VenueId } from '../spec/venues.ts'

export type Address = `0x${string}`

/**
 * A parsed quote or build request (§4.1, §4.2): defaults filled in, the alias `engine` resolved to `preferEngine`, absent
 * values null. The tokens are not checked against the registry yet.
 */
export interface SwapRequest {
  readonly from: string
  readonly to: string
  /** Human units; finite and greater than zero. */
  readonly amount: number
  readonly fromAddress: Address | 'native' | null
  readonly toAddress: Address | null
  readonly fromDecimals: number | null
  readonly toDecimals: number | null
  readonly slippageBps: number
  readonly sender: Address | null
  readonly partnerFeeBps: number
  /** Null unless `partnerFeeBps` is greater than zero. */
  readonly partnerFeeRecipient: Address | null
  readonly preferEngine: VenueId | null
  readonly fromPriceUsd: number | null
  readonly toPriceUsd: number | null
}

/** A build request: the sender is required (§4.2). */
export type BuildRequest = SwapRequest & { readonly sender: Address }

/** A confirm request (§4.3), both values lower-case. */
export interface ConfirmRequest {
  readonly buildId: string
  readonly txHash: Address
}
