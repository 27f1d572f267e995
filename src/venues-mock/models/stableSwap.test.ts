import { describe, expect, it } from 'vitest'
import { getD, getY, quoteExactIn, type StableSwapState } from './stableSwap.ts'

const ONE = 10n ** 18n
/** One million of each: a coin of 6 decimals and one of 18, A = 200, fee 0.04 %. */
const state: StableSwapState = {
  balances: [10n ** 12n, 10n ** 24n],
  rates: [10n ** 30n, 10n ** 18n],
  amplification: 20_000n,
  fee: 4_000_000n,
}

/**
 * Returns the invariant A·n·(x + y) + d = A·n·d + d³ / (4·x·y) of two coins as one polynomial: the left side less the right,
 * times the positive 100·4·x·y. It falls as d grows.
 */
function residue(d: bigint, x: bigint, y: bigint, amplification: bigint): bigint {
  const ann = amplification * 2n
  return (ann * (x + y) + 100n * d - ann * d) * 4n * x * y - 100n * d ** 3n
}

/** Returns the greatest whole d whose residue is not negative, by bisection. */
function bisectD(x: bigint, y: bigint, amplification: bigint): bigint {
  let low = 0n
  let high = x + y + 1n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (residue(middle, x, y, amplification) >= 0n) low = middle
    else high = middle
  }
  return low
}

const BALANCES: readonly (readonly [bigint, bigint])[] = [
  [ONE, ONE],
  [ONE, 2n * ONE],
  [10n ** 24n, 3n * 10n ** 22n],
  [7n * 10n ** 18n, 10n ** 25n],
  [123_456_789_012_345_678_901n, 987_654_321_098_765_432_109n],
]

describe('getD', () => {
  it('is the sum of balanced coins', () => {
    expect(getD([ONE, ONE], 20_000n)).toBe(2n * ONE)
    expect(getD([0n, 0n], 20_000n)).toBe(0n)
  })

  it.each(BALANCES)('solves the invariant of %i and %i to the rounding of its last step', (x, y) => {
    for (const amplification of [100n, 20_000n, 500_000n]) {
      const difference = getD([x, y], amplification) - bisectD(x, y, amplification)
      expect(difference >= -2n && difference <= 2n).toBe(true)
    }
  })
})

describe('getY', () => {
  it.each(BALANCES)('finds the other balance of %i and %i again', (x, y) => {
    const d = getD([x, y], 20_000n)
    const difference = getY(x, d, 20_000n) - y
    // One unit of d is worth at most some ten thousand units of y in the most lopsided of these pools.
    expect(difference >= -20_000n && difference <= 20_000n).toBe(true)
    expect(residue(d, x, getY(x, d, 20_000n) + 1n, 20_000n)).toBeGreaterThan(0n)
  })
})

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

describe('the fee', () => {
  it('stays in the pool, so that the invariant never shrinks', () => {
    const before = getD([10n ** 24n, 10n ** 24n], state.amplification)
    const quote = quoteExactIn(state, 'zeroForOne', 10n ** 11n)
    if ('unpriced' in quote) throw new Error(quote.unpriced)
    const after = getD([11n * 10n ** 23n, 10n ** 24n - quote.amountOut], state.amplification)
    expect(after).toBeGreaterThan(before)
  })
})
