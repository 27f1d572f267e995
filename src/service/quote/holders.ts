import { encodePacked, getCreate2Address, keccak256 } from 'viem'
import type { Manifest, VenueOf } from '../../spec/manifest.ts'
import type { Address } from '../requests.ts'
import { lower } from '../tokens/token.ts'

/**
 * Returns an account that holds a token: the first pool or venue that the manifest lists for it, otherwise its constant product pair with
 * WETH, where any other token of the chain would trade.
 */
export function createHolders(manifest: Manifest): (token: Address) => Address {
  const holders = new Map<Address, Address>()
  const note = (token: Address, holder: Address) => {
    if (!holders.has(lower(token))) holders.set(lower(token), lower(holder))
  }
  const pairs = manifest.venues.filter((venue) => venue.id === 'venue_a')
  for (const venue of pairs)
    for (const { tokens, pool } of venue.pairs)
      for (const token of tokens) note(token, pool ?? pairAddress(venue, ...tokens))
  for (const venue of manifest.venues) {
    if (venue.id === 'venue_b')
      for (const { tokens, pool } of venue.pools) for (const token of tokens) note(token, pool)
    if (venue.id === 'venue_c' || venue.id === 'venue_d' || venue.id === 'venue_f')
      for (const { tokens, pool } of venue.pairs)
        for (const token of tokens) note(token, pool ?? venue.address)
    if (venue.id === 'venue_e')
      for (const { currency0, currency1 } of venue.poolKeys)
        for (const token of [currency0, currency1]) note(token, venue.poolManager)
  }
  const [anyPair] = pairs
  return (token) =>
    holders.get(token) ?? (anyPair ? lower(pairAddress(anyPair, token, manifest.weth)) : lower(manifest.weth))
}

/** Returns the address that the factory assigns to a pair of tokens, whether or not the pair exists yet. */
function pairAddress(venue: VenueOf<'venue_a'>, tokenA: Address, tokenB: Address): Address {
  const [token0, token1] = [lower(tokenA), lower(tokenB)].sort()
  return getCreate2Address({
    from: lower(venue.factory),
    salt: keccak256(encodePacked(['address', 'address'], [token0 ?? tokenA, token1 ?? tokenB])),
    bytecodeHash: venue.initCodeHash,
  })
}
