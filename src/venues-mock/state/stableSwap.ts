import { parseAbi } from 'viem'
import type { VenueOf } from '../../spec/manifest.ts'
import type { StableSwapState } from '../models/stableSwap.ts'
import { call, type Pool, type Reader, readAll } from './reader.ts'

const abi = parseAbi([
  'struct Pool { address[2] coin; uint256[2] balance; uint256[2] rate; uint256 amplification; uint256 fee; }',
  'function pool(address coinA, address coinB) view returns (Pool)',
])

/**
 * Returns the stable swap pools of the venue's pairs.
 *
 * @throws {PoolStateError} a pair has no pool at this block.
 */
export async function readStableSwap(
  reader: Reader,
  { address, pairs }: VenueOf<'venue_d'>,
): Promise<Pool<StableSwapState>[]> {
  const pools = await readAll(
    reader,
    pairs.map(({ tokens }) => call(address, abi, 'pool', tokens)),
  )
  return pools.map(({ coin, balance, rate, amplification, fee }) => ({
    tokens: coin,
    state: { balances: balance, rates: rate, amplification, fee },
  }))
}
