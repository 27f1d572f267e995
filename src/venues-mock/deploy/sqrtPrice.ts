import type { Hex } from 'viem'
import { squareRoot } from '../squareRoot.ts'

/**
 * Returns the price at which two amounts have equal value, in the format of Uniswap V3 and V4: the square root of token1 per
 * token0, times 2^96, rounded down.
 */
export function sqrtPriceX96(tokenA: Hex, tokenB: Hex, amountsRaw: readonly [bigint, bigint]): bigint {
  const isSorted = BigInt(tokenA) < BigInt(tokenB)
  const [amount0, amount1] = isSorted ? amountsRaw : [amountsRaw[1], amountsRaw[0]]
  return squareRoot((amount1 << 192n) / amount0)
}
