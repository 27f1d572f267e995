import * as blockerToken from '../../venues-mock/generated/BlockerToken.ts'
import * as concentratedOperator from '../../venues-mock/generated/ConcentratedOperator.ts'
import * as concentratedVenue from '../../venues-mock/generated/ConcentratedVenue.ts'
import * as constantProductVenue from '../../venues-mock/generated/ConstantProductVenue.ts'
import * as falsyToken from '../../venues-mock/generated/FalsyToken.ts'
import * as mockToken from '../../venues-mock/generated/MockToken.ts'
import * as multicall3 from '../../venues-mock/generated/Multicall3.ts'
import * as muteToken from '../../venues-mock/generated/MuteToken.ts'
import * as oracleMakerVenue from '../../venues-mock/generated/OracleMakerVenue.ts'
import * as orderBookVenue from '../../venues-mock/generated/OrderBookVenue.ts'
import * as permit2 from '../../venues-mock/generated/Permit2.ts'
import * as poolManager from '../../venues-mock/generated/PoolManager.ts'
import * as priceFeed from '../../venues-mock/generated/PriceFeed.ts'
import * as quoterV2 from '../../venues-mock/generated/QuoterV2.ts'
import * as settlement from '../../venues-mock/generated/Settlement.ts'
import * as singletonOperator from '../../venues-mock/generated/SingletonOperator.ts'
import * as singletonVenue from '../../venues-mock/generated/SingletonVenue.ts'
import * as stableSwapVenue from '../../venues-mock/generated/StableSwapVenue.ts'
import * as taxedToken from '../../venues-mock/generated/TaxedToken.ts'
import * as uniswapV2Factory from '../../venues-mock/generated/UniswapV2Factory.ts'
import * as uniswapV2Pair from '../../venues-mock/generated/UniswapV2Pair.ts'
import * as uniswapV3Factory from '../../venues-mock/generated/UniswapV3Factory.ts'
import * as uniswapV3Pool from '../../venues-mock/generated/UniswapV3Pool.ts'
import * as v4Quoter from '../../venues-mock/generated/V4Quoter.ts'
import * as weth9 from '../../venues-mock/generated/WETH9.ts'
import { sha256 } from '../format/canonical.ts'

const GENERATED: readonly Readonly<Record<string, unknown>>[] = [
  blockerToken,
  concentratedOperator,
  concentratedVenue,
  constantProductVenue,
  falsyToken,
  mockToken,
  multicall3,
  muteToken,
  oracleMakerVenue,
  orderBookVenue,
  permit2,
  poolManager,
  priceFeed,
  quoterV2,
  settlement,
  singletonOperator,
  singletonVenue,
  stableSwapVenue,
  taxedToken,
  uniswapV2Factory,
  uniswapV2Pair,
  uniswapV3Factory,
  uniswapV3Pool,
  v4Quoter,
  weth9,
]

let digests: Readonly<Record<string, string>> | undefined

/**
 * Returns the SHA-256, in lower-case hex, of each text constant in the generated sources, `0x` included, by its name: creation
 * code, runtime code, or the hash of a pool's code.
 */
export function contractDigests(): Readonly<Record<string, string>> {
  digests ??= Object.fromEntries(
    GENERATED.flatMap((contract) => Object.entries(contract)).flatMap(([name, code]) =>
      typeof code === 'string' ? [[name, sha256(code)] as const] : [],
    ),
  )
  return digests
}
