import { encodeAbiParameters } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { NATIVE } from '../../fixtures/canonical.ts'
import { INVENTORIES, SINGLETON_FEE_TIERS, SINGLETON_POOLS, VENUE_LABELS } from '../../fixtures/pools.ts'
import { poolManagerBytecode } from '../generated/PoolManager.ts'
import { singletonOperatorAbi } from '../generated/SingletonOperator.ts'
import { singletonVenueAbi, singletonVenueBytecode } from '../generated/SingletonVenue.ts'
import { v4QuoterBytecode } from '../generated/V4Quoter.ts'
import { CREATE2_DEPLOYER, singletonOperator } from './operators.ts'
import { sqrtPriceX96 } from './sqrtPrice.ts'
import { manifestAbi, type PlannedVenue, sorted, stock, type World } from './world.ts'

/** Plans venue_e: the Uniswap V4 pool manager, its quoter, the pools with their positions, and the router. */
export function planSingleton(world: World): PlannedVenue<'venue_e'> {
  const { deployer, tokens } = world
  const poolManager = deployer.create(
    'create the V4 pool manager',
    poolManagerBytecode,
    encodeAbiParameters([{ type: 'address' }], [deployer.address]),
  )
  const quoter = deployer.create(
    'create the V4 quoter',
    v4QuoterBytecode,
    encodeAbiParameters([{ type: 'address' }], [poolManager]),
  )
  const address = deployer.create(
    'create venue_e',
    singletonVenueBytecode,
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'address' }],
      [poolManager, quoter, ACCOUNTS.operator.address],
    ),
  )
  const hand = singletonOperator(poolManager)
  deployer.send({ step: "create the V4 operator's contract", to: CREATE2_DEPLOYER, data: hand.creation })
  stock(world, hand.address, INVENTORIES.singletonOperator)
  const poolKeys = SINGLETON_POOLS.map((pool) => {
    const [tokenA, tokenB] = [tokens[pool.tokens[0]], tokens[pool.tokens[1]]]
    const [currency0, currency1] = sorted(tokenA, tokenB)
    const key = { currency0, currency1, fee: pool.fee, tickSpacing: pool.tickSpacing, hooks: NATIVE } as const
    world.operator.call(`open the V4 pool ${pool.tokens.join('/')} at ${pool.fee}`, hand.address, {
      abi: singletonOperatorAbi,
      functionName: 'open',
      args: [key, sqrtPriceX96(tokenA, tokenB, pool.priceRaw), pool.ranges],
    })
    return key
  })
  return {
    id: 'venue_e',
    kind: 'singleton',
    fee: 'inside',
    label: VENUE_LABELS.venue_e,
    address,
    abi: manifestAbi(singletonVenueAbi),
    poolManager,
    poolKeys,
    feeTiers: [...SINGLETON_FEE_TIERS],
  }
}
