import { encodeAbiParameters, type Hex, maxUint256 } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { STABLE_SWAP_POOLS, VENUE_LABELS } from '../../fixtures/pools.ts'
import { mockTokenAbi } from '../generated/MockToken.ts'
import { stableSwapVenueAbi, stableSwapVenueBytecode } from '../generated/StableSwapVenue.ts'
import { manifestAbi, type PlannedVenue, type World } from './world.ts'

/** Plans venue_d: the stable swap and its pools, which the operator fills from its own balances. */
export function planStableSwap(world: World): PlannedVenue<'venue_d'> {
  const { operator, tokens } = world
  const address = world.deployer.create(
    'create venue_d',
    stableSwapVenueBytecode,
    encodeAbiParameters([{ type: 'address' }, { type: 'address' }], [tokens.WETH, ACCOUNTS.operator.address]),
  )
  const pairs = STABLE_SWAP_POOLS.map((pool) => {
    const [symbolA, symbolB] = pool.tokens
    const pair: [Hex, Hex] = [tokens[symbolA], tokens[symbolB]]
    operator.call(`open the stable swap ${symbolA}/${symbolB}`, address, {
      abi: stableSwapVenueAbi,
      functionName: 'open',
      args: [pair, pool.rates, pool.amplification, pool.fee],
    })
    donate(symbolA, pair[0], pair[1], pool.balancesRaw[0])
    donate(symbolB, pair[1], pair[0], pool.balancesRaw[1])
    return { tokens: pair }
  })

  /** The approval has no limit, so that later donations are single transactions. */
  function donate(symbol: string, coin: Hex, other: Hex, amountRaw: bigint) {
    operator.call(`approve venue_d for ${symbol}`, coin, {
      abi: mockTokenAbi,
      functionName: 'approve',
      args: [address, maxUint256],
    })
    operator.call(`fill the stable swap with ${symbol}`, address, {
      abi: stableSwapVenueAbi,
      functionName: 'donate',
      args: [coin, other, amountRaw],
    })
  }

  return {
    id: 'venue_d',
    kind: 'stable-swap',
    fee: 'transfer',
    label: VENUE_LABELS.venue_d,
    address,
    abi: manifestAbi(stableSwapVenueAbi),
    pairs,
  }
}
