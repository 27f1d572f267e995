import { encodeAbiParameters } from 'viem'
import type { Manifest, VenueOf } from '../../spec/manifest.ts'
import { byPair, pairKey } from './pairKey.ts'
import { settlementVenue } from './settlementVenue.ts'
import type { Venue } from './venue.ts'

const FEE = [{ type: 'uint24' }] as const

/** Returns venue_b: concentrated liquidity. Queries the tiers listed for the pair, or every tier if none is listed. */
export function concentrated(manifest: Manifest, venue: VenueOf<'venue_b'>): Venue {
  const listed = byPair(venue.pools, ({ tokens }) => tokens)

  return settlementVenue(manifest, venue, 'wrapped', (tokenIn, tokenOut) => {
    const tiers = listed.get(pairKey(tokenIn, tokenOut)) ?? venue.feeTiers
    return tiers.map(({ fee }) => ({ via: [], encoded: encodeAbiParameters(FEE, [fee]) }))
  })
}
