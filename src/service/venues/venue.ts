import type { Hex } from 'viem'
import type { VenueId } from '../../spec/venues.ts'
import type { FeeTransfer } from '../../spec/wire.ts'
import type { Address } from '../requests.ts'

/** One path through a venue. A venue's quote is that of its best path. */
export interface Way {
  /** The tokens between input and output, in order. */
  readonly via: readonly Address[]
  /** The tokens that the venue itself takes and pays: the user's, or their wrapped or unwrapped equivalents. */
  readonly venueTokenIn: Address
  readonly venueTokenOut: Address
  /** The path as encoded for the venue's contract. */
  readonly path: Hex
  /** Measured gas of the whole settlement. */
  readonly gasUnits: bigint
  /** Returns the calldata that queries the venue's contract for the output of `amountRaw`. */
  readonly quoteData: (amountRaw: bigint) => Hex
}

/** A priced swap. Addresses are lower-case; `NATIVE` for the native coin. */
export interface Order {
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** The total amount that the user pays. */
  readonly amountInRaw: bigint
  /** The partner's part of it; the venue swaps exactly the rest. */
  readonly feeRaw: bigint
  /** Null when there is no fee. */
  readonly feeRecipient: Address | null
  readonly minimumRaw: bigint
  readonly sender: Address
}

/** The transactions that settle an order (§2.3, §2.4), before formatting. */
export interface Settlement {
  readonly to: Address
  readonly data: Hex
  readonly valueRaw: bigint
  /** The spender that the user approves for the input, by ERC-20 approve or by permit; null for the native coin. */
  readonly allowanceTarget: Address | null
  readonly permit2: boolean
  readonly feeTransfer: FeeTransfer | null
}

/** The service's adapter for one venue of the manifest. */
export interface Venue {
  readonly id: VenueId
  readonly label: string
  /** The contract that returns quotes. */
  readonly address: Address
  /** Returns the paths to query; none when the venue cannot trade the pair. */
  ways(tokenIn: Address, tokenOut: Address): readonly Way[]
  settle(way: Way, order: Order): Settlement
}
