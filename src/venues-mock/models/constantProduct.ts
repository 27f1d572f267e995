import { type Direction, type ModelQuote, mulDiv, UINT256_MAX } from './result.ts'

/** The reserves of one Uniswap V2 pair, in base units of each token. */
export interface ConstantProductState {
  readonly reserve0: bigint
  readonly reserve1: bigint
}

/** One pool of a path, with the direction of the swap. */
export interface ConstantProductHop {
  readonly state: ConstantProductState
  readonly direction: Direction
}

/** Models `UniswapV2Library.getAmountOut`: 0.3 % of the input stays in the pool, and the output is rounded down. */
export function quoteExactIn(
  state: ConstantProductState,
  direction: Direction,
  amountIn: bigint,
): ModelQuote {
  const [reserveIn, reserveOut] =
    direction === 'zeroForOne' ? [state.reserve0, state.reserve1] : [state.reserve1, state.reserve0]
  if (amountIn === 0n) return { unpriced: 'zero-amount' }
  if (reserveIn === 0n || reserveOut === 0n) return { unpriced: 'no-liquidity' }
  const amountInLessFee = amountIn * 997n
  const denominator = reserveIn * 1000n + amountInLessFee
  // SafeMath reverts where a product exceeds 256 bits.
  if (amountInLessFee * reserveOut > UINT256_MAX || denominator > UINT256_MAX) return { unpriced: 'overflow' }
  return { amountOut: mulDiv(amountInLessFee, reserveOut, denominator) }
}

/** Returns the output of a path of pools, where each receives the output of the previous one. An empty path has no price. */
export function quotePath(hops: readonly ConstantProductHop[], amountIn: bigint): ModelQuote {
  if (hops.length === 0) return { unpriced: 'no-pool' }
  let amount = amountIn
  for (const hop of hops) {
    const quote = quoteExactIn(hop.state, hop.direction, amount)
    if ('unpriced' in quote) return quote
    amount = quote.amountOut
    if (amount === 0n && hop !== hops.at(-1)) return { unpriced: 'zero-output' }
  }
  return { amountOut: amount }
}
