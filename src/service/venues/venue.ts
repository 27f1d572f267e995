import type { Hex } from 'viem'
import type { VenueId } from '../../spec/venues.ts'
import type { FeeTransfer } from '../../spec/wire.ts'
import type { Address } from '../requests.ts'

/** One way through a venue. A venue answers with the best of its ways. */
export interface Way {
  /** The tokens between input and output, in order. */
  readonly via: readonly Address[]
  /** What the venue itself takes and pays: the user's tokens, or their wrapped or unwrapped twins. */
  readonly venueTokenIn: Address
  readonly venueTokenOut: Address
  /** The venue's own path, as its contract reads it. */
  readonly path: Hex
  /** Gas of the whole settlement, as measured. */
  readonly gasUnits: bigint
  /** The calldata that asks the venue's contract what `amountRaw` would bring. */
  readonly quoteData: (amountRaw: bigint) => Hex
}

/** A swap that was priced. Addresses lower-case, `NATIVE` for the native coin. */
export interface Order {
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** The whole amount that the user pays. */
  readonly amountInRaw: bigint
  /** The part of it that the partner gets; the venue swaps exactly the rest. */
  readonly feeRaw: bigint
  /** Null when there is no fee. */
  readonly feeRecipient: Address | null
  readonly minimumRaw: bigint
  readonly sender: Address
}

/** The transactions that settle an order (§2.3, §2.4), before they are written to the wire. */
export interface Settlement {
  readonly to: Address
  readonly data: Hex
  readonly valueRaw: bigint
  /** The spender that the user allows the input, by ERC-20 approve or by permit; null for the native coin. */
  readonly allowanceTarget: Address | null
  readonly permit2: boolean
  readonly feeTransfer: FeeTransfer | null
}

/** One venue of the manifest, as the service trades on it. */
export interface Venue {
  readonly id: VenueId
  readonly label: string
  /** The contract that answers quotes. */
  readonly address: Address
  /** The ways worth asking; none when the venue cannot know the pair. */
  ways(tokenIn: Address, tokenOut: Address): readonly Way[]
  settle(way: Way, order: Order): Settlement
}
