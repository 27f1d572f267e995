import {
  type AppliedSwap,
  type Direction,
  divUp,
  type ModelQuote,
  mulDiv,
  quoteOf,
  UnpricedSwapError,
} from './result.ts'

/** A price is quote base units for one base base unit, times this. */
const PRICE_SCALE = 10n ** 36n

export interface BookLevel {
  readonly price: bigint
  /** Base units of the base token that this level still offers or wants. */
  readonly size: bigint
}

/** One market of the order book, each side with its best level first. Token 0 is the base, token 1 the quote token. */
export interface OrderBookState {
  readonly asks: readonly BookLevel[]
  readonly bids: readonly BookLevel[]
}

/** The book's output for the whole of `amountIn`; unpriced when it runs dry first. */
export function quoteExactIn(state: OrderBookState, direction: Direction, amountIn: bigint): ModelQuote {
  return quoteOf(() => applySwap(state, direction, amountIn).amountOut)
}

/**
 * The book after a taker's swap of exactly `amountIn`.
 *
 * @throws {UnpricedSwapError} the amount is zero, the side is empty, or it runs dry.
 */
export function applySwap(
  state: OrderBookState,
  direction: Direction,
  amountIn: bigint,
): AppliedSwap<OrderBookState> {
  if (amountIn === 0n) throw new UnpricedSwapError('zero-amount', amountIn)
  if (direction === 'zeroForOne') {
    const { amountOut, left } = sellIntoBids(state.bids, amountIn)
    return { amountOut, state: { asks: state.asks, bids: left } }
  }
  const { amountOut, left } = buyFromAsks(state.asks, amountIn)
  return { amountOut, state: { asks: left, bids: state.bids } }
}

interface Taken {
  readonly amountOut: bigint
  readonly left: readonly BookLevel[]
}

/** Every level pays its value, rounded down. */
function sellIntoBids(bids: readonly BookLevel[], amountIn: bigint): Taken {
  let remaining = amountIn
  let amountOut = 0n
  for (const [index, { price, size }] of bids.entries()) {
    if (remaining < size) {
      amountOut += mulDiv(remaining, price, PRICE_SCALE)
      return { amountOut, left: [{ price, size: size - remaining }, ...bids.slice(index + 1)] }
    }
    amountOut += mulDiv(size, price, PRICE_SCALE)
    remaining -= size
    if (remaining === 0n) return { amountOut, left: bids.slice(index + 1) }
  }
  throw dry(bids, amountIn)
}

/** A whole level costs its value, rounded up; part of a level yields what the input buys, rounded down. */
function buyFromAsks(asks: readonly BookLevel[], amountIn: bigint): Taken {
  let remaining = amountIn
  let amountOut = 0n
  for (const [index, { price, size }] of asks.entries()) {
    const cost = divUp(size * price, PRICE_SCALE)
    if (remaining < cost) {
      const bought = mulDiv(remaining, PRICE_SCALE, price)
      amountOut += bought
      return { amountOut, left: [{ price, size: size - bought }, ...asks.slice(index + 1)] }
    }
    amountOut += size
    remaining -= cost
    if (remaining === 0n) return { amountOut, left: asks.slice(index + 1) }
  }
  throw dry(asks, amountIn)
}

function dry(levels: readonly BookLevel[], amountIn: bigint): UnpricedSwapError {
  return new UnpricedSwapError(levels.length === 0 ? 'no-liquidity' : 'not-enough-liquidity', amountIn)
}
