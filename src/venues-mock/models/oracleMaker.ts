import {
  type AppliedSwap,
  type Direction,
  type ModelQuote,
  quoteOf,
  UINT256_MAX,
  UnpricedSwapError,
} from './result.ts'

const PRICE_SCALE = 10n ** 36n
const BPS = 10_000n

/** One pair of the market maker, at one block. Token 0 is the base, token 1 the quote token. */
export interface OracleMakerState {
  /** Quote base units for one base base unit, times 1e36. */
  readonly price: bigint
  /** The part of the output that the maker keeps. */
  readonly spreadBps: bigint
  readonly updatedAtS: bigint
  /** How long a price is valid. */
  readonly maxAgeS: bigint
  /** The time of the block that prices the swap. */
  readonly nowS: bigint
  /** Base units of token 0 and token 1 that the maker owns. */
  readonly inventory: readonly [bigint, bigint]
}

/** The maker's output for `amountIn` at its own price, at any size within its inventory. */
export function quoteExactIn(state: OracleMakerState, direction: Direction, amountIn: bigint): ModelQuote {
  return quoteOf(() => applySwap(state, direction, amountIn).amountOut)
}

/**
 * The maker after a swap of exactly `amountIn`.
 *
 * @throws {UnpricedSwapError} the amount is zero, the price is missing or too old, or the inventory too small.
 */
export function applySwap(
  state: OracleMakerState,
  direction: Direction,
  amountIn: bigint,
): AppliedSwap<OracleMakerState> {
  const { price, inventory } = state
  if (amountIn === 0n) throw new UnpricedSwapError('zero-amount', amountIn)
  if (price === 0n) throw new UnpricedSwapError('no-pool', amountIn)
  if (state.nowS > state.updatedAtS + state.maxAgeS) throw new UnpricedSwapError('stale-price', amountIn)
  const sellsBase = direction === 'zeroForOne'
  const kept = amountIn * (BPS - state.spreadBps)
  const numerator = kept * (sellsBase ? price : PRICE_SCALE)
  if (numerator > UINT256_MAX) throw new UnpricedSwapError('overflow', amountIn)
  const amountOut = numerator / (BPS * (sellsBase ? PRICE_SCALE : price))
  const [base, quote] = inventory
  if (amountOut > (sellsBase ? quote : base)) throw new UnpricedSwapError('not-enough-liquidity', amountIn)
  return {
    amountOut,
    state: {
      ...state,
      inventory: sellsBase ? [base + amountIn, quote - amountOut] : [base - amountOut, quote + amountIn],
    },
  }
}
