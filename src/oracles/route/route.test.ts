import { expect, test } from 'vitest'
import type { Route } from '../../spec/wire.ts'
import { market, NOW_MS, route } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import { judgeDistinctQuoteIds, judgeRoute, promisedMinimum, type RouteFacts } from './route.ts'

const facts = (change: Partial<Route>, more: Partial<RouteFacts> = {}): RouteFacts => ({
  endpoint: 'quote',
  route: { ...route, ...change },
  asked: { amount: 1, slippageBps: 50 },
  fromDecimals: 18,
  toDecimals: 6,
  feeBps: 25,
  totalFeeBps: 25,
  answeredAtMs: NOW_MS,
  ...more,
})

test.each([
  ['of a quote', facts({})],
  ['without a slippage asked for', facts({}, { asked: { amount: 1 } })],
  ['of the market', facts(market)],
  ['that expires now', facts({ expiresAt: NOW_MS })],
  [
    'at slippage 0',
    facts({ slippageBps: 0, minimumReceived: 2490.123457 }, { asked: { amount: 1, slippageBps: 0 } }),
  ],
  [
    'at slippage 5000, of an odd output',
    facts(
      { slippageBps: 5000, amountOut: 0.000003, midRate: 0.000003, minimumReceived: 0.000001 },
      { asked: { amount: 1, slippageBps: 5000 } },
    ),
  ],
  [
    'whose minimum has more digits than a double',
    // out 1994999999999999999 at 18 decimals; floor(out × 0.995) = 1985024999999999999
    facts({ amountOut: 1.995, minimumReceived: 1.985025, midRate: 1.995 }, { toDecimals: 18 }),
  ],
  ['whose rate has six digits', facts({ midRate: 2490.12 })],
  [
    'whose amounts have six digits, the minimum cut',
    facts({ amountOut: 2490.12, minimumReceived: 2477.67, midRate: 2490.12 }),
  ],
  [
    'whose surplus digits were cut',
    facts(
      { amountIn: 1.999999, midRate: 2490.123457 / 1.999999 },
      { asked: { amount: 1.9999999, slippageBps: 50 }, fromDecimals: 6 },
    ),
  ],
])('an honest route %s fails nothing', (_case, honest) => {
  expect(failedRequirements(judgeRoute(honest))).toEqual([])
})

test.each([
  ['sells another amount', facts({ amountIn: 0.9975, midRate: 2490.123457 / 0.9975 }), ['route.amount-in']],
  [
    'rounds surplus digits up',
    facts(
      { amountIn: 2.0001, midRate: 2490.123457 / 2.0001 },
      { asked: { amount: 2.00009, slippageBps: 50 }, fromDecimals: 4 },
    ),
    ['route.amount-in'],
  ],
  [
    'shows a minimum two base units too high',
    facts({ minimumReceived: 2477.672841 }),
    ['route.minimum-received.floor'],
  ],
  [
    'shows a minimum one base unit too low',
    facts({ minimumReceived: 2477.672838 }),
    ['route.minimum-received.floor'],
  ],
  [
    'divides by 1 + slippage',
    facts({ slippageBps: 5000, minimumReceived: 1660.082304 }, { asked: { amount: 1, slippageBps: 5000 } }),
    ['route.minimum-received.floor'],
  ],
  ['takes no slippage off', facts({ minimumReceived: 2490.123457 }), ['route.minimum-received.floor']],
  ['inverts the rate', facts({ midRate: 1 / 2490.123457 }), ['route.mid-rate']],
  ['calculates the rate in whole numbers', facts({ midRate: 2490 }), ['route.mid-rate']],
  ['adds the fee to the rate', facts({ midRate: 2496.364368 }), ['route.mid-rate']],
  ['takes the fee off the rate again', facts({ midRate: 2483.898148 }), ['route.mid-rate']],
  ['sells nothing', facts({ amountIn: 0 }), ['route.amount-in', 'route.mid-rate']],
  [
    'ignores the slippage asked for',
    facts({}, { asked: { amount: 1, slippageBps: 100 } }),
    ['route.slippage-echo'],
  ],
  [
    'has another default slippage',
    facts({ slippageBps: 100, minimumReceived: 2465.222222 }, { asked: { amount: 1 } }),
    ['route.slippage-echo', 'quote.slippage.default'],
  ],
  ['calls a venue route not executable', facts({ executable: false }), ['route.executable']],
  [
    'calls the market executable',
    facts({ ...market, executable: true }),
    ['route.executable', 'quote.market.not-executable'],
  ],
  ['shows another fee in the route', facts({ protocolFeeBps: 0 }), ['route.protocol-fee']],
  ['sends an answer that is stale already', facts({ expiresAt: NOW_MS - 1 }), ['route.expires-at']],
  ['sends microseconds', facts({ expiresAt: (NOW_MS + 15_000) * 1000 }), ['route.expires-at']],
  ['sends seconds for milliseconds', facts({ expiresAt: (NOW_MS + 15_000) / 1000 }), ['route.expires-at']],
])('catches a service that %s', (_broken, broken, failed) => {
  expect(failedRequirements(judgeRoute(broken))).toEqual(failed)
})

test('a build has a default slippage of its own', () => {
  const broken = facts(
    { slippageBps: 100, minimumReceived: 2465.222222 },
    { asked: { amount: 1 }, endpoint: 'build' },
  )
  expect(failedRequirements(judgeRoute(broken))).toContain('build.slippage.default')
})

test('a promised minimum may be cut or rounded up, and is one number where it comes out whole', () => {
  const promised = (amountOut: number, slippageBps: number) => promisedMinimum({ amountOut, slippageBps }, 6)
  expect(promised(2490.123457, 50)).toEqual({ least: 2477672839n, most: 2477672840n })
  expect(promised(2490.1234, 5_000)).toEqual({ least: 1245061675n, most: 1245061750n })
  expect(promised(2490.123457, 0)).toEqual({ least: 2490123457n, most: 2490123457n })
})

test('catches a service that hands out one id for two quotes', () => {
  const id = route.quoteId
  expect(judgeDistinctQuoteIds([id, id.replace('6', '7')]).outcome).toBe('pass')
  expect(judgeDistinctQuoteIds([id, id.toUpperCase()]).outcome).toBe('fail')
})
