import { describe, expect, it } from 'vitest'
import { type OrderBookState, quoteExactIn } from './orderBook.ts'

const SCALE = 10n ** 36n
/** Asks: 10 at 3.5, 20 at 4. Bids: 10 at 3, 20 at 2.5. */
const state: OrderBookState = {
  asks: [
    { price: (SCALE * 7n) / 2n, size: 11n },
    { price: 4n * SCALE, size: 20n },
  ],
  bids: [
    { price: 3n * SCALE, size: 10n },
    { price: (SCALE * 5n) / 2n, size: 21n },
  ],
}

describe('selling the base token', () => {
  it.each([
    [1n, 3n],
    [10n, 30n],
    [11n, 32n],
    [12n, 35n],
    [31n, 82n],
  ])('brings for %i each level’s worth, rounded down', (amountIn, amountOut) => {
    expect(quoteExactIn(state, 'zeroForOne', amountIn)).toEqual({ amountOut })
  })

  it('has no price when the bids run dry', () => {
    expect(quoteExactIn(state, 'zeroForOne', 32n)).toEqual({ unpriced: 'not-enough-liquidity' })
    expect(quoteExactIn({ ...state, bids: [] }, 'zeroForOne', 1n)).toEqual({ unpriced: 'no-liquidity' })
  })
})

describe('buying the base token', () => {
  it.each([
    [1n, 0n],
    [3n, 0n],
    [4n, 1n],
    [38n, 10n],
    // 11 × 3.5 = 38.5 costs 39.
    [39n, 11n],
    [42n, 11n],
    [43n, 12n],
    [119n, 31n],
  ])('buys for %i whole levels at their worth rounded up, and a part rounded down', (amountIn, amountOut) => {
    expect(quoteExactIn(state, 'oneForZero', amountIn)).toEqual({ amountOut })
  })

  it('has no price when the asks run dry', () => {
    expect(quoteExactIn(state, 'oneForZero', 120n)).toEqual({ unpriced: 'not-enough-liquidity' })
    expect(quoteExactIn({ ...state, asks: [] }, 'oneForZero', 1n)).toEqual({ unpriced: 'no-liquidity' })
  })
})

it('has no price for nothing', () => {
  expect(quoteExactIn(state, 'zeroForOne', 0n)).toEqual({ unpriced: 'zero-amount' })
})
