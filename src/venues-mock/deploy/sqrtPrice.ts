import type { Hex } from 'viem'

/**
 * The price at which two amounts are worth the same, as Uniswap V3 and V4 hold it: the square root of token1 per
 * token0, times 2^96, rounded down.
 */
export function sqrtPriceX96(tokenA: Hex, tokenB: Hex, amountsRaw: readonly [bigint, bigint]): bigint {
  const isSorted = BigInt(tokenA) < BigInt(tokenB)
  const [amount0, amount1] = isSorted ? amountsRaw : [amountsRaw[1], amountsRaw[0]]
  return squareRoot((amount1 << 192n) / amount0)
}

/** The largest whole number whose square is not above `square`, by Newton's method from above. */
function squareRoot(square: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (;;) {
    const next = (root + square / root) / 2n
    if (next >= root) return root
    root = next
  }
}
