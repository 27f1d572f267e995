import { expect, it } from 'vitest'
import * as concentrated from './concentrated.ts'
import { quoteExactIn, type SingletonState } from './singleton.ts'

const state: SingletonState = {
  sqrtPriceX96: 2n ** 96n,
  tick: 0,
  liquidity: 2n * 10n ** 18n,
  feePips: 500,
  tickSpacing: 10,
  ticks: [
    { tick: -10, liquidityNet: 2n * 10n ** 18n },
    { tick: 10, liquidityNet: -2n * 10n ** 18n },
  ],
}

it.each([1n, 2n, 1_000n, 10n ** 12n, 10n ** 15n])(
  'pays for %i what a V3 pool of the same ticks pays',
  (amountIn) => {
    const quote = quoteExactIn(state, 'zeroForOne', amountIn)
    expect(quote).toHaveProperty('amountOut')
    expect(quote).toEqual(concentrated.quoteExactIn(state, 'zeroForOne', amountIn))
  },
)

it('takes the last base unit that the pool can take, and no more', () => {
  // The input that the published v3-core suite measured for a pool of these ticks.
  expect(quoteExactIn(state, 'oneForZero', 1000700370186095n)).toEqual({ amountOut: 999700069986002n })
  expect(quoteExactIn(state, 'oneForZero', 1000700370186096n)).toEqual({ unpriced: 'not-enough-liquidity' })
})

it('has no price for nothing and for more than int128 holds', () => {
  expect(quoteExactIn(state, 'zeroForOne', 0n)).toEqual({ unpriced: 'zero-amount' })
  expect(quoteExactIn(state, 'zeroForOne', 2n ** 127n)).toEqual({ unpriced: 'overflow' })
})
