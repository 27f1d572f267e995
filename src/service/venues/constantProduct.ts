import { encodeAbiParameters } from 'viem'
import type { Manifest, VenueOf } from '../../spec/manifest.ts'
import type { Address } from '../requests.ts'
import { lower } from '../tokens/token.ts'
import { pairKey } from './pairKey.ts'
import { type Path, settlementVenue } from './settlementVenue.ts'
import type { Venue } from './venue.ts'

const PATH = [{ type: 'address[]' }] as const

/** Returns venue_a: constant product pairs, with two hops through WETH when there is no direct pair. */
export function constantProduct(manifest: Manifest, venue: VenueOf<'venue_a'>): Venue {
  const weth = lower(manifest.weth)
  const listed = new Set(venue.pairs.map(({ tokens }) => pairKey(...tokens)))
  const pathOf = (tokens: readonly Address[]): Path => ({
    via: tokens.slice(1, -1),
    encoded: encodeAbiParameters(PATH, [tokens]),
  })

  return settlementVenue(manifest, venue, 'wrapped', (tokenIn, tokenOut) => {
    const direct = pathOf([tokenIn, tokenOut])
    if (tokenIn === weth || tokenOut === weth || listed.has(pairKey(tokenIn, tokenOut))) return [direct]
    const throughWeth = pathOf([tokenIn, weth, tokenOut])
    const hopsListed = listed.has(pairKey(tokenIn, weth)) && listed.has(pairKey(weth, tokenOut))
    return hopsListed ? [throughWeth] : [direct, throughWeth]
  })
}
