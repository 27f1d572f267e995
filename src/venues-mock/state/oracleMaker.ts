import { parseAbi } from 'viem'
import type { VenueOf } from '../../spec/manifest.ts'
import type { OracleMakerState } from '../models/oracleMaker.ts'
import { call, type Pool, type Reader, readAll } from './reader.ts'

const abi = parseAbi([
  'function prices(address base, address quote) view returns (uint256 price, uint256 spreadBps, uint256 updatedAt)',
  'function inventory(address token) view returns (uint256)',
  'function maxAge() view returns (uint256)',
])

/** Returns the maker's price and inventory of each pair, priced in either order, in a block with time `nowS`. */
export async function readOracleMaker(
  reader: Reader,
  { address: venue, pairs }: VenueOf<'venue_f'>,
  nowS: bigint,
): Promise<Pool<OracleMakerState>[]> {
  const [maxAgeS] = await readAll(reader, [call(venue, abi, 'maxAge', [])])
  return Promise.all(
    pairs.map(async ({ tokens: [one, other] }) => {
      const [given, turned, held, otherHeld] = await readAll(reader, [
        call(venue, abi, 'prices', [one, other]),
        call(venue, abi, 'prices', [other, one]),
        call(venue, abi, 'inventory', [one]),
        call(venue, abi, 'inventory', [other]),
      ])
      const isTurned = turned[0] !== 0n
      const [price, spreadBps, updatedAtS] = isTurned ? turned : given
      return {
        tokens: isTurned ? [other, one] : [one, other],
        state: {
          price,
          spreadBps,
          updatedAtS,
          maxAgeS,
          nowS,
          inventory: isTurned ? [otherHeld, held] : [held, otherHeld],
        },
      } as const
    }),
  )
}
