import { expect, test } from 'vitest'
import type { VenueId } from '../../spec/venues.ts'
import type { Route } from '../../spec/wire.ts'
import { route } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import { judgeImpact } from './impact.ts'
import { judgeQuoteVsModel, type ModelAnswer } from './quoteVsModel.ts'

const models = new Map<VenueId, ModelAnswer>([
  ['venue_a', { netOfFeeRaw: 2490123457n, wholeInputRaw: 2496364368n }],
  ['venue_c', { netOfFeeRaw: 2490500000n, wholeInputRaw: 2496741854n }],
])
const judgeWith = (change: Partial<Route>, totalFeeBps = 25, toDecimals = 6, answers = models) =>
  judgeQuoteVsModel({ route: { ...route, ...change }, toDecimals, totalFeeBps, models: answers })
const alone = { alternatives: [] }

test('outputs that the models confirm fail nothing, and venues without a model are left out', () => {
  const verdicts = judgeWith({})
  expect(failedRequirements(verdicts)).toEqual([])
  expect(verdicts.flatMap((verdict) => verdict.boundaryClasses ?? [])).not.toContain('venue_b')
})

test('an output after a fee that was rounded up conforms, and one after a fee of two units more does not', () => {
  const open = new Map([
    ['venue_a' as const, { netOfFeeRaw: 2_490_123_457n, feeRoundedUpRaw: 2_490_123_455n, wholeInputRaw: 0n }],
  ])
  const shown = (amountOut: number) => failedRequirements(judgeWith({ amountOut, ...alone }, 25, 6, open))
  expect(shown(2490.123455)).toEqual([])
  expect(shown(2490.123454)).toEqual(WINNER)
})

test('an output whose fee was taken off the output is net of it, and departs from the convention', () => {
  // 2496.364368 less 25 bps of it, cut.
  const amountOut = 2490.123458
  const alternatives = route.alternatives.map((entry) =>
    entry.engine === 'venue_a' ? { ...entry, amountOut } : entry,
  )
  expect(failedRequirements(judgeWith({ amountOut, alternatives }))).toEqual(['fees.on-input'])
})

const WINNER = ['route.amount-out', 'amounts.net-of-fee', 'fees.total.baked-in']
test.each([
  ['forgets the fee', { amountOut: 2496.364368, ...alone }, WINNER],
  ['is a base unit too generous by either reading', { amountOut: 2490.123459, ...alone }, WINNER],
  ['rounds to five digits', { amountOut: 2490.1, ...alone }, WINNER],
  ['shows base units', { amountOut: 2490123457, ...alone }, WINNER],
  [
    'takes gas off the output of an alternative',
    { alternatives: route.alternatives.map((entry) => ({ ...entry, amountOut: entry.netAmountOut })) },
    ['alternatives.amount-out', 'alternatives.amount-out'],
  ],
])('catches a service that %s', (_broken, change, failed) => {
  expect(failedRequirements(judgeWith(change))).toEqual(failed)
})

test('says so when the fee was forgotten', () => {
  expect(judgeWith({ amountOut: 2496.364368, ...alone })[0]?.note).toContain('fee was not taken off')
})

const [ORDER, EXACT] = ['route.price-impact.against-mark', 'route.price-impact.to-one-bp']

// 2490.123457 of 2500 USD is 39.506 bps short, of 2493.75 USD (after the fee) 14.543 bps. Of 5,000 USD it is 5,019.8 bps of the
// input short, and 10,079.3 bps of the output.
test.each<[string, number, number, readonly string[]]>([
  ...[14, 14.543, 15, 39.506, 40].map((bps) => [`is of ${bps} bps`, bps, 2500, []] as never),
  ...[5_020, 10_079].map((bps) => [`is of ${bps} bps, of either worth`, bps, 5_000, []] as never),
  ['is 0, of a gain', 0, 2400, []],
  ['is of more than either worth', 10_081, 5_000, [EXACT]],
  ['has the fee twice', 5_032.5, 5_000, [EXACT]],
  ['takes half of the fee off', 27, 2500, [EXACT]],
  ['shows percent', 0.3951, 2500, [EXACT]],
  ['shows a fraction', 0.00395, 2500, [EXACT]],
  ['shows none', 0, 2500, [EXACT]],
  ['leaves the marks of the caller out', 39.5, 5000, [ORDER, EXACT]],
  ['shows a gain as its magnitude', 125, 2400, [ORDER, EXACT]],
  ['is of the order', 139, 2500, [EXACT]],
  ['is not of the order', 180, 2500, [ORDER, EXACT]],
  ['is hardly of the order', 2_462, 5_000, [EXACT]],
  ['is hardly not of the order', 2_400, 5_000, [ORDER, EXACT]],
])('an impact that %s', (_what, priceImpactBps, fromPriceUsd, failed) => {
  const verdicts = judgeImpact({
    ...{ route: { ...route, priceImpactBps }, sale: { amountInRaw: 10n ** 18n, feeBps: 25 } },
    ...{ fromPriceUsd, toPriceUsd: 1 },
  })
  expect(failedRequirements(verdicts)).toEqual(failed)
})

test('where the fee is cut to base units the impact may be that of what is left', () => {
  const few = { ...route, amountIn: 2.2e-16, amountOut: 2.29e-16, priceImpactBps: 41.313328 }
  const judged = (amountInRaw: bigint) =>
    judgeImpact({ route: few, sale: { amountInRaw, feeBps: 47 }, fromPriceUsd: 2625, toPriceUsd: 2500 })
  expect(failedRequirements(judged(220n))).toEqual([])
  expect(failedRequirements(judged(220_000n))).toEqual(['route.price-impact.to-one-bp'])
})
