import { describe, expect, it } from 'vitest'
import { type ConcentratedState, quoteExactIn } from './concentrated.ts'
import type { Direction } from './result.ts'
import { swapThroughTicks } from './tickRange.ts'

const ONE = 10n ** 18n
const SPACING = { low: 10, medium: 60, high: 200 } as const
const PIPS = { low: 500, medium: 3000, high: 10_000 } as const
const lowest = (tier: keyof typeof SPACING) => Math.ceil(-887272 / SPACING[tier]) * SPACING[tier]
const highest = (tier: keyof typeof SPACING) => Math.floor(887272 / SPACING[tier]) * SPACING[tier]

type Position = readonly [lower: number, upper: number, liquidity: bigint]

function pool(
  tier: keyof typeof SPACING,
  sqrtPriceX96: bigint,
  tick: number,
  ...positions: readonly Position[]
): ConcentratedState {
  const net = new Map<number, bigint>()
  let liquidity = 0n
  for (const [lower, upper, amount] of positions) {
    net.set(lower, (net.get(lower) ?? 0n) + amount)
    net.set(upper, (net.get(upper) ?? 0n) - amount)
    if (lower <= tick && tick < upper) liquidity += amount
  }
  const ticks = [...net]
    .map(([at, liquidityNet]) => ({ tick: at, liquidityNet }))
    .sort((a, b) => a.tick - b.tick)
  return { sqrtPriceX96, tick, liquidity, feePips: PIPS[tier], tickSpacing: SPACING[tier], ticks }
}

const PRICE_1_1 = 2n ** 96n
const full = (tier: keyof typeof SPACING): Position => [lowest(tier), highest(tier), 2n * ONE]
/** Positions below and above the price, with a gap between. */
const below: Position = [lowest('medium'), -60, 2n * ONE]
const above: Position = [60, highest('medium'), 2n * ONE]
const dense: Position = [lowest('medium'), highest('medium'), (2n ** 128n - 1n) / 29575n]

type Vector = readonly [Direction, offered: bigint, taken: bigint, out: bigint, tickAfter: number]

/** Effects of the swaps in the published v3-core test suite on its pools. */
const PUBLISHED: readonly (readonly [string, ConcentratedState, readonly Vector[]])[] = [
  [
    'low fee, full range',
    pool('low', PRICE_1_1, 0, full('low')),
    [
      ['zeroForOne', ONE, ONE, 666444407401233536n, -8107],
      ['oneForZero', ONE, ONE, 666444407401233536n, 8106],
      ['zeroForOne', 1000n, 1000n, 998n, -1],
      ['oneForZero', 1000n, 1000n, 998n, 0],
    ],
  ],
  [
    'medium fee, full range',
    pool('medium', PRICE_1_1, 0, full('medium')),
    [
      ['zeroForOne', ONE, ONE, 665331998665331998n, -8090],
      ['oneForZero', ONE, ONE, 665331998665331998n, 8089],
      ['zeroForOne', 1000n, 1000n, 996n, -1],
    ],
  ],
  [
    'high fee, full range',
    pool('high', PRICE_1_1, 0, full('high')),
    [
      ['zeroForOne', ONE, ONE, 662207357859531772n, -8043],
      ['oneForZero', 1000n, 1000n, 989n, 0],
    ],
  ],
  [
    'medium fee, price 10',
    pool('medium', 250541448375047931186413801569n, 23027, full('medium')),
    [
      ['zeroForOne', ONE, ONE, 3869747612262812754n, 4098],
      ['oneForZero', ONE, ONE, 86123526743846551n, 25954],
      ['zeroForOne', 1000n, 1000n, 9969n, 23027],
      ['oneForZero', 1000n, 1000n, 99n, 23027],
    ],
  ],
  [
    'medium fee, nothing at the price itself',
    pool('medium', PRICE_1_1, 0, below, above),
    [
      ['zeroForOne', ONE, ONE, 662011820624678025n, -8130],
      ['oneForZero', ONE, ONE, 662011820624678025n, 8129],
      ['zeroForOne', 1000n, 1000n, 991n, -61],
      ['oneForZero', 1000n, 1000n, 991n, 60],
    ],
  ],
  [
    'medium fee, three positions',
    pool('medium', PRICE_1_1, 0, full('medium'), below, above),
    [
      ['zeroForOne', ONE, ONE, 795933705287758544n, -4476],
      ['oneForZero', ONE, ONE, 795933705287758544n, 4475],
    ],
  ],
  [
    'low fee, one tick around the price',
    pool('low', PRICE_1_1, 0, [-10, 10, 2n * ONE]),
    [
      ['zeroForOne', ONE, 1000700370186095n, 999700069986002n, -887272],
      ['oneForZero', ONE, 1000700370186095n, 999700069986002n, 887271],
      ['zeroForOne', 1000n, 1000n, 998n, -1],
    ],
  ],
  [
    'token 0 only',
    pool('medium', PRICE_1_1, 0, [0, 120_000, 2n * ONE]),
    [
      ['zeroForOne', ONE, 0n, 0n, -887272],
      ['oneForZero', ONE, ONE, 665331998665331998n, 8089],
      ['oneForZero', 1000n, 1000n, 996n, 0],
    ],
  ],
  [
    'token 1 only',
    pool('medium', PRICE_1_1, 0, [-120_000, 0, 2n * ONE]),
    [
      ['zeroForOne', ONE, ONE, 665331998665331998n, -8090],
      ['oneForZero', ONE, 0n, 0n, 887271],
    ],
  ],
  [
    'close to the greatest price',
    pool('medium', 1033437718471923706666374484006904511252097097914n, 880340, full('medium')),
    [
      ['zeroForOne', ONE, ONE, 26087635650665564420687107504180041533n, 13923],
      ['zeroForOne', 1000n, 1000n, 26083549850867114346332688477747755628n, 705098],
      ['oneForZero', ONE, ONE, 0n, 880340],
      ['oneForZero', 1000n, 1000n, 0n, 880340],
    ],
  ],
  [
    'as much liquidity as a tick may hold',
    pool('medium', PRICE_1_1, 0, dense),
    [
      ['zeroForOne', ONE, ONE, 996999999999999318n, -1],
      ['oneForZero', ONE, ONE, 996999999999999232n, 0],
      ['zeroForOne', 1000n, 1000n, 0n, -1],
      ['oneForZero', 1000n, 1000n, 0n, 0],
    ],
  ],
  [
    'at the greatest price',
    pool('medium', 1461446703485210103287273052203988822378723970341n, 887271, full('medium')),
    [
      ['zeroForOne', ONE, ONE, 36796311329002736528533367667012547243n, 13923],
      ['zeroForOne', 1000n, 1000n, 36792225529204286454178948640580261338n, 705098],
    ],
  ],
  [
    'at the least price',
    pool('medium', 4295128739n, -887272, full('medium')),
    [
      ['oneForZero', ONE, ONE, 36796311322104302058426248623781044040n, -13924],
      ['oneForZero', 1000n, 1000n, 36792226666449146913445651103694411508n, -705093],
    ],
  ],
]

describe.each(PUBLISHED)('a pool with %s', (_name, state, vectors) => {
  it.each(vectors)(
    '%s of %i takes, pays and ends as the published one',
    (direction, offered, taken, out, tickAfter) => {
      const swap = swapThroughTicks(state, direction, offered)
      expect([swap.amountIn, swap.amountOut, swap.pool.tick]).toEqual([taken, out, tickAfter])
    },
  )
})

describe('quoteExactIn', () => {
  const state = pool('low', PRICE_1_1, 0, [-10, 10, 2n * ONE])

  it('has no price for an amount that the pool can take only a part of', () => {
    expect(quoteExactIn(state, 'zeroForOne', 1000700370186095n)).toEqual({ amountOut: 999700069986002n })
    expect(quoteExactIn(state, 'zeroForOne', 1000700370186096n)).toEqual({ unpriced: 'not-enough-liquidity' })
    expect(quoteExactIn(state, 'zeroForOne', ONE)).toEqual({ unpriced: 'not-enough-liquidity' })
  })

  it('has no price for nothing and for more than int256 holds', () => {
    expect(quoteExactIn(state, 'zeroForOne', 0n)).toEqual({ unpriced: 'zero-amount' })
    expect(quoteExactIn(state, 'zeroForOne', 2n ** 255n)).toEqual({ unpriced: 'overflow' })
  })

  it('moves the price so that the way back never pays more than was put in', () => {
    const there = swapThroughTicks(state, 'zeroForOne', 10n ** 14n)
    const back = swapThroughTicks(there.pool, 'oneForZero', there.amountOut)
    expect(there.pool.sqrtPriceX96).toBeLessThan(state.sqrtPriceX96)
    expect(back.amountOut).toBeLessThan(10n ** 14n)
  })
})
