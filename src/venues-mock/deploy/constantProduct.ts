import { encodeAbiParameters, encodePacked, getCreate2Address, type Hex, keccak256 } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { CONSTANT_PRODUCT_PAIRS, VENUE_LABELS } from '../../fixtures/pools.ts'
import { constantProductVenueAbi, constantProductVenueBytecode } from '../generated/ConstantProductVenue.ts'
import { uniswapV2FactoryAbi, uniswapV2FactoryBytecode } from '../generated/UniswapV2Factory.ts'
import { uniswapV2PairAbi, uniswapV2PairInitCodeHash } from '../generated/UniswapV2Pair.ts'
import { manifestAbi, type PlannedVenue, sorted, type World } from './world.ts'

/** Plans venue_a: a Uniswap V2 factory, its pairs with their reserves, and the router. */
export function planConstantProduct(world: World): PlannedVenue<'venue_a'> {
  const { deployer, tokens } = world
  const factory = deployer.create(
    'create the V2 factory',
    uniswapV2FactoryBytecode,
    encodeAbiParameters([{ type: 'address' }], [deployer.address]),
  )
  const address = deployer.create(
    'create venue_a',
    constantProductVenueBytecode,
    encodeAbiParameters([{ type: 'address' }, { type: 'address' }], [factory, ACCOUNTS.operator.address]),
  )
  const pairs = CONSTANT_PRODUCT_PAIRS.map(({ tokens: [symbolA, symbolB], reservesRaw }) => {
    const [tokenA, tokenB] = [tokens[symbolA], tokens[symbolB]]
    const pool = pairAddress(factory, tokenA, tokenB)
    const name = `the V2 pair ${symbolA}/${symbolB}`
    deployer.call(`create ${name}`, factory, {
      abi: uniswapV2FactoryAbi,
      functionName: 'createPair',
      args: [tokenA, tokenB],
    })
    world.fund([pool], symbolA, reservesRaw[0])
    world.fund([pool], symbolB, reservesRaw[1])
    deployer.call(`fill ${name}`, pool, {
      abi: uniswapV2PairAbi,
      functionName: 'mint',
      args: [deployer.address],
    })
    return { tokens: [tokenA, tokenB] as [Hex, Hex], pool }
  })
  return {
    id: 'venue_a',
    kind: 'constant-product',
    fee: 'inside',
    label: VENUE_LABELS.venue_a,
    address,
    abi: manifestAbi(constantProductVenueAbi),
    factory,
    initCodeHash: uniswapV2PairInitCodeHash,
    pairs,
  }
}

function pairAddress(factory: Hex, tokenA: Hex, tokenB: Hex): Hex {
  const salt = keccak256(encodePacked(['address', 'address'], sorted(tokenA, tokenB)))
  return getCreate2Address({ from: factory, salt, bytecodeHash: uniswapV2PairInitCodeHash })
}
