import { describe, expect, it } from 'vitest'
import { quoteExactIn, type StableSwapState } from './stableSwap.ts'

/** One million of each: a coin of 6 decimals and one of 18, A = 200, fee 0.04 %. */
const state: StableSwapState = {
  balances: [10n ** 12n, 10n ** 24n],
  rates: [10n ** 30n, 10n ** 18n],
  amplification: 20_000n,
  fee: 4_000_000n,
}

describe('quoteExactIn', () => {
  it('pays nearly one for one, less the fee', () => {
    const quote = quoteExactIn(state, 'zeroForOne', 1_000_000n)
    // 1 − 0.0004 = 0.9996, and one unit in a pool of a million moves the price by less than 1e-8.
    if ('unpriced' in quote) throw new Error(quote.unpriced)
    expect(quote.amountOut).toBeGreaterThan(999_599_990_000_000_000n)
    expect(quote.amountOut).toBeLessThanOrEqual(999_600_000_000_000_000n)
  })

  it('rounds an output below one base unit down to none', () => {
    expect(quoteExactIn(state, 'oneForZero', 1_000_000n)).toEqual({ amountOut: 0n })
  })

  it('has no price for nothing, from an empty pool, for 256 bits', () => {
    expect(quoteExactIn(state, 'zeroForOne', 0n)).toEqual({ unpriced: 'zero-amount' })
    expect(quoteExactIn({ ...state, balances: [0n, 1n] }, 'zeroForOne', 1n)).toEqual({
      unpriced: 'no-liquidity',
    })
    expect(quoteExactIn(state, 'zeroForOne', 2n ** 255n)).toEqual({ unpriced: 'overflow' })
  })

  it('never pays more than the pool holds', () => {
    const quote = quoteExactIn(state, 'zeroForOne', 10n ** 20n)
    expect('amountOut' in quote && quote.amountOut < state.balances[1]).toBe(true)
  })
})
