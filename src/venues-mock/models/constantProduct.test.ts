import { describe, expect, it } from 'vitest'
import { quoteExactIn, quotePath } from './constantProduct.ts'

const ONE = 10n ** 18n

describe('quoteExactIn', () => {
  it('has no price for nothing, for an empty pair and for more than 256 bits hold', () => {
    const state = { reserve0: ONE, reserve1: ONE }
    expect(quoteExactIn(state, 'zeroForOne', 0n)).toEqual({ unpriced: 'zero-amount' })
    expect(quoteExactIn({ reserve0: 0n, reserve1: ONE }, 'zeroForOne', 1n)).toEqual({
      unpriced: 'no-liquidity',
    })
    expect(quoteExactIn(state, 'zeroForOne', 2n ** 255n)).toEqual({ unpriced: 'overflow' })
  })
})

describe('quotePath', () => {
  it('has no price without a pool', () => {
    expect(quotePath([], ONE)).toEqual({ unpriced: 'no-pool' })
  })
})
