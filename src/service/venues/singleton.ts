import { encodeAbiParameters } from 'viem'
import type { Manifest, VenueOf } from '../../spec/manifest.ts'
import { NATIVE } from '../tokens/token.ts'
import { byPair, pairKey } from './pairKey.ts'
import { settlementVenue } from './settlementVenue.ts'
import type { Venue } from './venue.ts'

const POOL = [{ type: 'uint24' }, { type: 'int24' }] as const

/**
 * Returns venue_e: pools of one singleton contract, which trade the native coin and never WETH. Queries the pools listed for
 * the currencies, or every combination of fee and spacing when none is listed. Its router supports no hooks.
 */
export function singleton(manifest: Manifest, venue: VenueOf<'venue_e'>): Venue {
  const plain = venue.poolKeys.filter(({ hooks }) => hooks === NATIVE)
  const listed = byPair(plain, ({ currency0, currency1 }) => [currency0, currency1])

  return settlementVenue(manifest, venue, 'native', (tokenIn, tokenOut) => {
    const pools = listed.get(pairKey(tokenIn, tokenOut)) ?? venue.feeTiers
    return pools.map(({ fee, tickSpacing }) => ({
      via: [],
      encoded: encodeAbiParameters(POOL, [fee, tickSpacing]),
    }))
  })
}
