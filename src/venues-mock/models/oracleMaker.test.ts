import { describe, expect, it } from 'vitest'
import { type OracleMakerState, quoteExactIn } from './oracleMaker.ts'

/** 1 base of 18 decimals for 2500 quote of 6 decimals, 10 bps kept. */
const state: OracleMakerState = {
  price: 2500n * 10n ** 24n,
  spreadBps: 10n,
  updatedAtS: 1_700_000_000n,
  maxAgeS: 86_400n,
  nowS: 1_700_000_000n,
  inventory: [100n * 10n ** 18n, 250_000n * 10n ** 6n],
}

describe('quoteExactIn', () => {
  it('prices both ways at the same price, less the spread, rounded down', () => {
    expect(quoteExactIn(state, 'zeroForOne', 10n ** 18n)).toEqual({ amountOut: 2_497_500_000n })
    expect(quoteExactIn(state, 'oneForZero', 2_500_000_000n)).toEqual({ amountOut: 999_000_000_000_000_000n })
    expect(quoteExactIn(state, 'zeroForOne', 400_400_400n)).toEqual({ amountOut: 0n })
    expect(quoteExactIn(state, 'zeroForOne', 400_400_401n)).toEqual({ amountOut: 1n })
  })

  it('has a price until its age is reached, and none a second later', () => {
    expect(quoteExactIn({ ...state, nowS: 1_700_086_400n }, 'zeroForOne', 10n ** 18n)).toHaveProperty(
      'amountOut',
    )
    expect(quoteExactIn({ ...state, nowS: 1_700_086_401n }, 'zeroForOne', 10n ** 18n)).toEqual({
      unpriced: 'stale-price',
    })
  })

  it('pays up to its inventory and no further', () => {
    const all = { ...state, spreadBps: 0n }
    expect(quoteExactIn(all, 'zeroForOne', 100n * 10n ** 18n)).toEqual({ amountOut: 250_000_000_000n })
    expect(quoteExactIn(all, 'zeroForOne', 100n * 10n ** 18n + 400_000_000n)).toEqual({
      unpriced: 'not-enough-liquidity',
    })
  })

  it('has no price for nothing, without a posted price, for 256 bits', () => {
    expect(quoteExactIn(state, 'zeroForOne', 0n)).toEqual({ unpriced: 'zero-amount' })
    expect(quoteExactIn({ ...state, price: 0n }, 'zeroForOne', 1n)).toEqual({ unpriced: 'no-pool' })
    expect(quoteExactIn(state, 'oneForZero', 2n ** 200n)).toEqual({ unpriced: 'overflow' })
  })
})
