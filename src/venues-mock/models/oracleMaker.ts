import { type Direction, type ModelQuote, UINT256_MAX } from './result.ts'

const PRICE_SCALE = 10n ** 36n
const BPS = 10_000n

/** One pair of the market maker, at one block. Token 0 is the base, token 1 the quote token. */
export interface OracleMakerState {
  /** Quote base units for one base base unit, times 1e36. */
  readonly price: bigint
  /** The part of the output that the maker keeps. */
  readonly spreadBps: bigint
  readonly updatedAtS: bigint
  /** Validity of a price. */
  readonly maxAgeS: bigint
  /** Time of the block in which the swap is priced. */
  readonly nowS: bigint
  /** Base units of token 0 and token 1 that the maker owns. */
  readonly inventory: readonly [bigint, bigint]
}

/**
 * Returns the maker's output for `amountIn` at its own price, at any size within its inventory; unpriced when the price is missing
 * or too old.
 */
export function quoteExactIn(state: OracleMakerState, direction: Direction, amountIn: bigint): ModelQuote {
  const { price, inventory } = state
  if (amountIn === 0n) return { unpriced: 'zero-amount' }
  if (price === 0n) return { unpriced: 'no-pool' }
  if (state.nowS > state.updatedAtS + state.maxAgeS) return { unpriced: 'stale-price' }
  const sellsBase = direction === 'zeroForOne'
  const kept = amountIn * (BPS - state.spreadBps)
  const numerator = kept * (sellsBase ? price : PRICE_SCALE)
  if (numerator > UINT256_MAX) return { unpriced: 'overflow' }
  const amountOut = numerator / (BPS * (sellsBase ? PRICE_SCALE : price))
  const [base, quote] = inventory
  return amountOut > (sellsBase ? quote : base) ? { unpriced: 'not-enough-liquidity' } : { amountOut }
}
