import { type Direction, divUp, type ModelQuote, mulDiv } from './result.ts'

/** Scale of a price: quote base units for one base base unit, times this. */
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

/** Returns the book's output for the whole of `amountIn`; unpriced when it runs dry first. */
export function quoteExactIn(state: OrderBookState, direction: Direction, amountIn: bigint): ModelQuote {
  if (amountIn === 0n) return { unpriced: 'zero-amount' }
  const [levels, amountOut] =
    direction === 'zeroForOne'
      ? [state.bids, sellIntoBids(state.bids, amountIn)]
      : [state.asks, buyFromAsks(state.asks, amountIn)]
  if (amountOut !== null) return { amountOut }
  return { unpriced: levels.length === 0 ? 'no-liquidity' : 'not-enough-liquidity' }
}

/** Returns the output; every level pays its value, rounded down. Null: the bids run dry. */
function sellIntoBids(bids: readonly BookLevel[], amountIn: bigint): bigint | null {
  let remaining = amountIn
  let amountOut = 0n
  for (const { price, size } of bids) {
    if (remaining <= size) return amountOut + mulDiv(remaining, price, PRICE_SCALE)
    amountOut += mulDiv(size, price, PRICE_SCALE)
    remaining -= size
  }
  return null
}

/**
 * Returns the output: a whole level costs its value, rounded up; part of a level yields the amount that the input buys, rounded
 * down. Null: the asks run dry.
 */
function buyFromAsks(asks: readonly BookLevel[], amountIn: bigint): bigint | null {
  let remaining = amountIn
  let amountOut = 0n
  for (const { price, size } of asks) {
    const cost = divUp(size * price, PRICE_SCALE)
    if (remaining < cost) return amountOut + mulDiv(remaining, PRICE_SCALE, price)
    amountOut += size
    remaining -= cost
    if (remaining === 0n) return amountOut
  }
  return null
}
