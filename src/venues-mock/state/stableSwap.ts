import { type Address, parseAbi } from 'viem'
import type { StableSwapState } from '../models/stableSwap.ts'
import { call, type Reader, readAll } from './reader.ts'

const abi = parseAbi([
  'struct Pool { address[2] coin; uint256[2] balance; uint256[2] rate; uint256 amplification; uint256 fee; }',
  'function pool(address coinA, address coinB) view returns (Pool)',
])

/** A stable swap pool with its coins in the venue's own order. */
export interface StablePool {
  readonly tokens: readonly [Address, Address]
  readonly state: StableSwapState
}

/**
 * The stable swap pools of the pairs.
 *
 * @throws {PoolStateError} the venue has no pool of a pair at this block.
 */
export async function readStableSwap(
  reader: Reader,
  venue: Address,
  pairs: readonly (readonly [Address, Address])[],
): Promise<StablePool[]> {
  const pools = await readAll(
    reader,
    pairs.map(([one, other]) => call(venue, abi, 'pool', [one, other])),
  )
  return pools.map(({ coin, balance, rate, amplification, fee }) => ({
    tokens: coin,
    state: { balances: balance, rates: rate, amplification, fee },
  }))
}
