import { encodeAbiParameters, getCreate2Address, type Hex, keccak256 } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import {
  CONCENTRATED_FEE_TIERS,
  CONCENTRATED_POOLS,
  INVENTORIES,
  VENUE_LABELS,
} from '../../fixtures/pools.ts'
import { concentratedOperatorAbi } from '../generated/ConcentratedOperator.ts'
import { concentratedVenueAbi, concentratedVenueBytecode } from '../generated/ConcentratedVenue.ts'
import { quoterV2Bytecode } from '../generated/QuoterV2.ts'
import { uniswapV3FactoryBytecode } from '../generated/UniswapV3Factory.ts'
import { uniswapV3PoolInitCodeHash } from '../generated/UniswapV3Pool.ts'
import { CREATE2_DEPLOYER, concentratedOperator } from './operators.ts'
import { sqrtPriceX96 } from './sqrtPrice.ts'
import { manifestAbi, type PlannedVenue, sorted, stock, type World } from './world.ts'

/** Plans venue_b: a Uniswap V3 factory, its quoter, the pools with their positions, and the router. */
export function planConcentrated(world: World): PlannedVenue<'venue_b'> {
  const { deployer, tokens } = world
  const factory = deployer.create('create the V3 factory', uniswapV3FactoryBytecode)
  const quoter = deployer.create(
    'create the V3 quoter',
    quoterV2Bytecode,
    encodeAbiParameters([{ type: 'address' }, { type: 'address' }], [factory, tokens.WETH]),
  )
  const address = deployer.create(
    'create venue_b',
    concentratedVenueBytecode,
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'address' }],
      [factory, quoter, ACCOUNTS.operator.address],
    ),
  )
  const hand = concentratedOperator(factory)
  deployer.send({ step: "create the V3 operator's contract", to: CREATE2_DEPLOYER, data: hand.creation })
  stock(world, hand.address, INVENTORIES.concentratedOperator)
  const pools = CONCENTRATED_POOLS.map((pool) => {
    const [tokenA, tokenB] = [tokens[pool.tokens[0]], tokens[pool.tokens[1]]]
    world.operator.call(`open the V3 pool ${pool.tokens.join('/')} at ${pool.fee}`, hand.address, {
      abi: concentratedOperatorAbi,
      functionName: 'open',
      args: [tokenA, tokenB, pool.fee, sqrtPriceX96(tokenA, tokenB, pool.priceRaw), pool.ranges],
    })
    return {
      tokens: [tokenA, tokenB] as [Hex, Hex],
      fee: pool.fee,
      pool: poolAddress(factory, tokenA, tokenB, pool.fee),
    }
  })
  return {
    id: 'venue_b',
    kind: 'concentrated',
    fee: 'inside',
    label: VENUE_LABELS.venue_b,
    address,
    abi: manifestAbi(concentratedVenueAbi),
    factory,
    feeTiers: [...CONCENTRATED_FEE_TIERS],
    pools,
  }
}

function poolAddress(factory: Hex, tokenA: Hex, tokenB: Hex, fee: number): Hex {
  const key = encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }],
    [...sorted(tokenA, tokenB), fee],
  )
  return getCreate2Address({ from: factory, salt: keccak256(key), bytecodeHash: uniswapV3PoolInitCodeHash })
}
