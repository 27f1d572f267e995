import { expect, test } from 'vitest'
import { VENUE_IDS } from '../../spec/venues.ts'
import type { Alternative, Route } from '../../spec/wire.ts'
import { market, route } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import { judgeAnsweringVenues, judgeRanking, type RankingFacts } from './ranking.ts'

const [a, c, b] = route.alternatives as [Alternative, Alternative, Alternative]
const facts = (change: Partial<Route>, more: Partial<RankingFacts> = {}): RankingFacts => ({
  route: { ...route, ...change },
  toDecimals: 6,
  winnerMayBeOverruled: false,
  outputIsEth: false,
  ...more,
})
/** Behind the winner by about 49 bps after gas, and 41 before it. */
const d: Alternative = { ...c, engine: 'venue_d', amountOut: 2480, netAmountOut: 2477.5, deltaBps: 48.7 }
const twin: Alternative = { ...a, engine: 'venue_f' }

test.each([
  ['three venues, one of them below zero after gas', facts({})],
  ['one venue', facts({ alternatives: [a] })],
  ['a tie in either order', facts({ engine: 'venue_f', alternatives: [twin, a] })],
  ['gas rounded up by one base unit', facts({ alternatives: [{ ...a, gasCostOut: 0.500001 }] })],
  [
    'gas of six digits',
    facts({ alternatives: [{ ...a, netAmountOut: 2489.623450123, gasCostOut: 0.500007 }] }),
  ],
  [
    'doubles subtracted where gas costs nearly everything',
    facts(
      {
        alternatives: [
          { ...a, netAmountOut: 2490.123457 - 2490.123456, gasCostOut: 2490.123456 },
          {
            ...c,
            amountOut: 2490.123457,
            netAmountOut: 0.0000010000002,
            gasCostOut: 2490.123456,
            deltaBps: 0,
          },
        ],
      },
      { toDecimals: 18 },
    ),
  ],
  ['distances in whole bps, cut', facts({ alternatives: [a, { ...c, deltaBps: 6 }] })],
  ['distances in whole bps, rounded up', facts({ alternatives: [a, { ...c, deltaBps: 7 }] })],
  ['a distance before gas', facts({ alternatives: [a, { ...d, deltaBps: 40.65 }] })],
  ['a market route without alternatives', facts(market)],
  [
    'a build that fell through',
    facts(
      {
        engine: 'venue_c',
        amountOut: 2490.5,
        alternatives: [
          { ...c, deltaBps: 0 },
          { ...a, deltaBps: 0 },
        ],
      },
      { winnerMayBeOverruled: true },
    ),
  ],
  [
    'gas in ETH where the output is ETH',
    facts(
      { alternatives: [{ ...a, gasCostOut: 0.0002, netAmountOut: 2490.123257 }] },
      { outputIsEth: true, toDecimals: 18 },
    ),
  ],
  [
    'a winner that gas eats up',
    facts({
      amountOut: 0.4,
      alternatives: [
        { ...b, engine: 'venue_a', deltaBps: 0 },
        { ...b, netAmountOut: -0.2, gasCostOut: 0.6, deltaBps: 0 },
      ],
    }),
  ],
])('honest alternatives: %s', (_case, honest) => {
  expect(failedRequirements(judgeRanking(honest))).toEqual([])
})

test.each([
  [
    'ranks before gas',
    facts({
      engine: 'venue_c',
      amountOut: 2490.5,
      alternatives: [
        { ...c, deltaBps: 0 },
        { ...a, deltaBps: 0 },
      ],
    }),
    ['quote.ranking.after-gas', 'alternatives.net', 'quote.best-route'],
  ],
  [
    'ranks by magnitude, ignoring the sign',
    facts({
      alternatives: [a, { ...b, netAmountOut: -2000, gasCostOut: 2000.4, deltaBps: 18_033.36 }, { ...c }],
    }),
    ['quote.ranking.after-gas', 'alternatives.net'],
  ],
  ['names a winner that is not first', facts({ engine: 'venue_c' }), ['alternatives.winner-first']],
  ['lists a venue twice', facts({ alternatives: [a, a] }), ['alternatives.winner-first']],
  [
    'lists venues thousands of times, which is judged no further',
    facts({ alternatives: Array.from({ length: 3_000 }, (_, index) => (index % 2 === 0 ? a : c)) }),
    ['alternatives.winner-first'],
  ],
  ['lists nobody', facts({ alternatives: [] }), ['alternatives.winner-first']],
  [
    'shows the output after gas as the output',
    facts({ alternatives: [{ ...a, amountOut: 2489.623457, netAmountOut: 2489.123457 }] }),
    ['alternatives.amount-out'],
  ],
  [
    'takes no gas off',
    facts({ alternatives: [{ ...a, netAmountOut: 2490.123457 }] }),
    ['alternatives.gas-cost'],
  ],
  ['adds gas', facts({ alternatives: [{ ...a, netAmountOut: 2490.623457 }] }), ['alternatives.gas-cost']],
  [
    'clamps a negative net output to zero',
    facts({ alternatives: [a, { ...b, netAmountOut: 0 }] }),
    ['alternatives.net.signed'],
  ],
  [
    'shows no distance for a venue far behind',
    facts({ alternatives: [a, { ...d, deltaBps: 0 }] }),
    ['alternatives.delta'],
  ],
  [
    'measures the distance in percent',
    facts({ alternatives: [a, { ...d, deltaBps: 0.4869 }] }),
    ['alternatives.delta'],
  ],
  [
    'shows a smaller distance for a venue further behind',
    facts({
      alternatives: [
        a,
        { ...d, deltaBps: 49 },
        { ...d, engine: 'venue_e', amountOut: 2479.9, netAmountOut: 2477, gasCostOut: 2.9, deltaBps: 45 },
      ],
    }),
    ['alternatives.delta'],
  ],
  [
    'shows gas of four digits',
    facts({ alternatives: [{ ...a, netAmountOut: 2489.623408, gasCostOut: 0.5002 }] }),
    ['alternatives.gas-cost'],
  ],
  ['puts the winner behind itself', facts({ alternatives: [{ ...a, deltaBps: 1 }] }), ['alternatives.delta']],
  [
    'shows gas in ETH for another output',
    facts({ alternatives: [a] }, { outputIsEth: true }),
    ['alternatives.gas-cost.output-units'],
  ],
])('catches a service that %s', (_broken, broken, failed) => {
  expect(failedRequirements(judgeRanking(broken))).toEqual(failed)
})

test('catches a build that ranks the venues it did not build in disorder', () => {
  const alternatives = [{ ...c, deltaBps: 0 }, b, { ...a, deltaBps: 0 }]
  const broken = facts({ engine: 'venue_c', amountOut: 2490.5, alternatives }, { winnerMayBeOverruled: true })
  expect(failedRequirements(judgeRanking(broken))).toContain('quote.ranking.after-gas')
})

test('the venues that answered, in any order', () => {
  expect(failedRequirements(judgeAnsweringVenues(route, ['venue_a', 'venue_b', 'venue_c'], null))).toEqual([])
  const six = { ...route, alternatives: VENUE_IDS.map((engine) => ({ ...a, engine })) }
  expect(judgeAnsweringVenues(six, VENUE_IDS, null).map((verdict) => verdict.outcome)).toEqual([
    'pass',
    'pass',
  ])
})

test('a venue that answers nothing, or what no swap pays, may be listed', () => {
  const alternatives = [{ ...c, amountOut: 1e59 }, a, { ...b, amountOut: 0 }]
  const listing = { ...route, alternatives }
  expect(failedRequirements(judgeAnsweringVenues(listing, ['venue_a'], null, ['venue_c']))).toEqual([])
  expect(failedRequirements(judgeAnsweringVenues(listing, ['venue_a'], null))).toEqual([
    'alternatives.complete',
  ])
})

test.each([
  [
    'hides a venue that answered',
    judgeAnsweringVenues(route, ['venue_a', 'venue_b', 'venue_c', 'venue_f'], null),
    ['alternatives.complete'],
  ],
  ['invents a venue', judgeAnsweringVenues(route, ['venue_a', 'venue_c'], null), ['alternatives.complete']],
  [
    'does not ask all six',
    judgeAnsweringVenues(route, VENUE_IDS, null),
    ['alternatives.complete', 'quote.venues.all-asked'],
  ],
  [
    'asks others than the one preferred',
    judgeAnsweringVenues(route, ['venue_a'], 'venue_a'),
    ['quote.prefer-engine.only'],
  ],
])('catches a service that %s', (_broken, verdicts, failed) => {
  expect(failedRequirements(verdicts)).toEqual(failed)
})
