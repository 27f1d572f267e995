import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import type { Manifest } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import { quoteCall, swapCall, type VenueCall } from '../calls.ts'
import { type ModelRoute, modelRoutes } from '../models/venue.ts'
import { type VenueStates, venueOf } from '../state/venues.ts'

/** One route through a venue: its model, and the calls that quote and swap it on the venue. */
export interface VenueRoute {
  readonly name: string
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly model: ModelRoute
  /** Returns the call that quotes this route on the chain. */
  ask(amountIn: bigint): { readonly to: Address; readonly data: Hex }
}

/** Returns every route of a venue between the tokens of its pools, both ways. */
export function venueRoutes(manifest: Manifest, states: VenueStates, venueId: VenueId): VenueRoute[] {
  const venue = venueOf(manifest, venueId)
  const tokens = [...new Set(states[venueId].flatMap((pool) => [...pool.tokens]))]
  const pairs = tokens.flatMap((tokenIn) => tokens.map((tokenOut) => [tokenIn, tokenOut] as const))
  return pairs.flatMap(([tokenIn, tokenOut]) =>
    modelRoutes(manifest, states, venueId, tokenIn, tokenOut).map((model) => ({
      name: `${symbolOf(manifest, tokenIn)} to ${symbolOf(manifest, tokenOut)}, route ${model.data}`,
      tokenIn,
      tokenOut,
      model,
      ask: (amountIn: bigint) =>
        quoteCall(manifest, venue, { tokenIn, tokenOut, amountIn, route: model.data }),
    })),
  )
}

/**
 * Returns the transaction that swaps `amountIn` along a route, without fee or minimum. Native output arrives as WETH, so that a
 * swap's output is not mixed with its gas cost.
 */
export function swapTransaction(
  manifest: Manifest,
  venueId: VenueId,
  { tokenIn, tokenOut, model }: VenueRoute,
  amountIn: bigint,
  recipient: Address,
): VenueCall {
  const venue = venueOf(manifest, venueId)
  return swapCall(
    manifest,
    // The tests approve the settlement contract itself.
    { ...venue, approval: { ...venue.approval, kind: 'erc20' } },
    { tokenIn, tokenOut: deliveredToken(manifest, tokenOut), amountIn, recipient, route: model.data },
  )
}

/** Returns the token in which {@link swapTransaction} delivers an output. */
export function deliveredToken(manifest: Manifest, tokenOut: Address): Address {
  return isAddressEqual(tokenOut, zeroAddress) ? manifest.weth : tokenOut
}

function symbolOf(manifest: Manifest, token: Address): string {
  const known = [...manifest.registry, ...manifest.otherTokens].find(({ address }) =>
    isAddressEqual(address, token),
  )
  return known?.symbol ?? token
}
