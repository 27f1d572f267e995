import type { Address } from 'viem'
import { OTHER_TOKENS, REGISTRY } from '../../fixtures/tokens.ts'
import { LIMITS } from '../../spec/limits.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { VENUE_IDS, type VenueId } from '../../spec/venues.ts'
import { VENUE_FAULT_KINDS } from '../faults.ts'
import type { VenueStates } from '../state/venues.ts'
import { modelQuote, modelRoutes } from './venue.ts'

/** The input of the models for a swap, in base units. */
export interface ModelledSwap {
  readonly tokenIn: { readonly symbol: string; readonly address: Address }
  readonly tokenOut: { readonly symbol: string; readonly address: Address }
  /** The total amount sold, and the rest after the partner fee, which the venue swaps. */
  readonly amountInRaw: bigint
  readonly swappedRaw: bigint
  readonly feeBps: number
}

/** Output of one venue, in base units. */
export interface VenueOutput {
  /** For the input less the partner fee, cut to base units. */
  readonly netOfFeeRaw: bigint
  /** The same with the fee rounded up; absent where the fee is a whole number of base units. */
  readonly feeRoundedUpRaw?: bigint
  /** For the whole input. */
  readonly wholeInputRaw: bigint
}

/** Tokens whose transfers deliver a different amount than was sent, or nothing: no pool model knows the delivered amount. */
const UNMODELLED: ReadonlySet<string> = new Set(
  Object.values({ ...REGISTRY, ...OTHER_TOKENS })
    .filter(({ contract }) => contract === 'TaxedToken' || contract === 'FalsyToken')
    .map(({ symbol }) => symbol),
)

/** Returns whether the models know the delivered amount of a swap of these tokens. */
export function isModelled({
  tokenIn,
  tokenOut,
}: Readonly<Record<'tokenIn' | 'tokenOut', { readonly symbol: string }>>): boolean {
  return !UNMODELLED.has(tokenIn.symbol) && !UNMODELLED.has(tokenOut.symbol)
}

/**
 * Returns the output of each venue that can price a swap in these states, by the exact models.
 *
 * @param only the only venue to include; default: all.
 */
export function venueOutputs(
  manifest: Manifest,
  states: VenueStates,
  swap: ModelledSwap,
  only?: VenueId,
): ReadonlyMap<VenueId, VenueOutput> {
  const { amountInRaw, swappedRaw, tokenIn, tokenOut } = swap
  const pay = (venue: VenueId, raw: bigint) => {
    const quote = modelQuote(manifest, states, venue, tokenIn.address, tokenOut.address, raw)
    return 'amountOut' in quote ? quote.amountOut : 0n
  }
  const outputs = new Map<VenueId, VenueOutput>()
  for (const venue of VENUE_IDS) {
    if (only !== undefined && venue !== only) continue
    const netOfFeeRaw = swappedRaw === 0n ? 0n : pay(venue, swappedRaw)
    if (netOfFeeRaw === 0n) continue
    outputs.set(venue, {
      netOfFeeRaw,
      ...(isWholeFee(swap) ? {} : { feeRoundedUpRaw: pay(venue, swappedRaw - 1n) || netOfFeeRaw }),
      wholeInputRaw: pay(venue, amountInRaw) || netOfFeeRaw,
    })
  }
  return outputs
}

/** Returns the inputs for which the outputs of a swap are known, in base units: for each reading of the fee. */
export function inputsOf({ amountInRaw, swappedRaw, feeBps }: ModelledSwap): readonly bigint[] {
  const roundedUp = isWholeFee({ amountInRaw, feeBps }) ? [] : [swappedRaw - 1n]
  return [...new Set([swappedRaw, ...roundedUp, amountInRaw])].filter((raw) => raw > 0n)
}

function isWholeFee({ amountInRaw, feeBps }: Pick<ModelledSwap, 'amountInRaw' | 'feeBps'>): boolean {
  return (amountInRaw * BigInt(feeBps)) % BigInt(LIMITS.bpsDenominator) === 0n
}

/** Returns the venues that quote nonsense, perhaps as a number that no swap pays. */
export function absurdVenues({ faults }: Pick<VenueStates, 'faults'>): readonly VenueId[] {
  return VENUE_IDS.filter((venue) => faults[venue] === VENUE_FAULT_KINDS.indexOf('nonsense-on-quote'))
}

/** Returns whether a venue's swap pays its quote: false with the fault `move-on-swap`. */
export function paysWhatItQuotes(states: Pick<VenueStates, 'faults'>, venue: VenueId): boolean {
  return states.faults[venue] !== VENUE_FAULT_KINDS.indexOf('move-on-swap')
}

/**
 * Returns the output of a venue along the route named by a transaction; null if unknown, because the models do not have the
 * route or the venue has a fault.
 *
 * @param route the `route` argument of the calldata; `0x` for a venue that is called directly.
 */
export function deliverableAlong(
  manifest: Manifest,
  states: VenueStates,
  venue: VenueId,
  { tokenIn, tokenOut, swappedRaw }: Pick<ModelledSwap, 'tokenIn' | 'tokenOut' | 'swappedRaw'>,
  route: string,
): bigint | null {
  if (states.faults[venue] !== 0) return null
  const routes = modelRoutes(manifest, states, venue, tokenIn.address, tokenOut.address)
  const named = routes.find(({ data }) => data.toLowerCase() === route.toLowerCase())
  if (named === undefined) return null
  const paid = named.quoteExactIn(swappedRaw)
  return 'amountOut' in paid ? paid.amountOut : 0n
}
