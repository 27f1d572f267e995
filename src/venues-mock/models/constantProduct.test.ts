import { describe, expect, it } from 'vitest'
import { quoteExactIn, quotePath } from './constantProduct.ts'

const ONE = 10n ** 18n

describe('quoteExactIn', () => {
  it.each([
    // Vectors of the published v2-core test suite.
    [ONE, 5n * ONE, 10n * ONE, 1662497915624478906n],
    [ONE, 10n * ONE, 5n * ONE, 453305446940074565n],
    [2n * ONE, 5n * ONE, 10n * ONE, 2851015155847869602n],
    [2n * ONE, 10n * ONE, 5n * ONE, 831248957812239453n],
    [ONE, 10n * ONE, 10n * ONE, 906610893880149131n],
    [ONE, 100n * ONE, 100n * ONE, 987158034397061298n],
    [ONE, 1000n * ONE, 1000n * ONE, 996006981039903216n],
  ])(
    'sells %i into reserves of %i and %i as the published pair does',
    (amountIn, reserveIn, reserveOut, out) => {
      expect(quoteExactIn({ reserve0: reserveIn, reserve1: reserveOut }, 'zeroForOne', amountIn)).toEqual({
        amountOut: out,
      })
      expect(quoteExactIn({ reserve0: reserveOut, reserve1: reserveIn }, 'oneForZero', amountIn)).toEqual({
        amountOut: out,
      })
    },
  )

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
  it('feeds each pair with what the one before paid', () => {
    const first = { reserve0: 5n * ONE, reserve1: 10n * ONE }
    const second = { reserve0: 10n * ONE, reserve1: 10n * ONE }
    const between = 1662497915624478906n
    const after = (between * 997n * 10n * ONE) / (10n * ONE * 1000n + between * 997n)
    expect(
      quotePath(
        [
          { state: first, direction: 'zeroForOne' },
          { state: second, direction: 'oneForZero' },
        ],
        ONE,
      ),
    ).toEqual({ amountOut: after })
  })

  it('has no price without a pool', () => {
    expect(quotePath([], ONE)).toEqual({ unpriced: 'no-pool' })
  })
})
