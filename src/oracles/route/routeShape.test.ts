import { expect, test } from 'vitest'
import { market, route } from '../testdata/honest.ts'
import { failedRequirements } from '../verdict.ts'
import { judgeRouteShape } from './routeShape.ts'

const [winner] = route.alternatives
const [hop] = route.hops

test.each([
  ['a route', 'quote', route],
  ['a market route', 'quote', market],
  [
    'a market route that lists itself',
    'quote',
    { ...market, alternatives: [{ ...winner, engine: 'market' }] },
  ],
  ['a route of a build', 'build', route],
  ['fields that the specification does not name', 'quote', { ...route, blockNumber: 7 }],
] as const)('%s is well formed', (_case, endpoint, honest) => {
  const { verdicts, route: parsed } = judgeRouteShape(endpoint, honest)
  expect(failedRequirements(verdicts)).toEqual([])
  expect(parsed?.amountOut).toBe(honest.amountOut)
})

test.each([
  ['text instead of a route', 'none', 'route.null-or-object'],
  ['a list instead of a route', [route], 'route.null-or-object'],
  ['no expiresAt', { ...route, expiresAt: undefined }, 'route.null-or-object'],
  ['an engine nobody knows', { ...route, engine: 'venue_g' }, 'route.engine'],
  ['an engine in capitals', { ...route, engine: 'VENUE_A' }, 'service.venue-ids'],
  ['no labels', { ...route, venues: [] }, 'route.venues'],
  ['an empty label', { ...route, venues: [''] }, 'route.venues'],
  ['base units as text', { ...route, amountOut: '2490123457' }, 'amounts.human-units'],
  ['an infinite amount', { ...route, minimumReceived: Number.POSITIVE_INFINITY }, 'amounts.human-units'],
  ['a negative impact', { ...route, priceImpactBps: -3 }, 'route.price-impact.magnitude'],
  ['a negative gas cost', { ...route, networkFeeEth: -1 }, 'route.network-fee'],
  ['a fractional slippage', { ...route, slippageBps: 50.5 }, 'route.slippage-echo'],
  ['a number as quoteId', { ...route, quoteId: 17 }, 'route.quote-id'],
  ['a date as expiresAt', { ...route, expiresAt: '2023-11-14T22:13:20Z' }, 'route.expires-at'],
  ['no hop', { ...route, hops: [] }, 'hops.present'],
  ['a hop without from', { ...route, hops: [{ ...hop, from: undefined }] }, 'hops.from'],
  ['a hop with an empty to', { ...route, hops: [{ ...hop, to: '' }] }, 'hops.to'],
  ['a hop without dexName', { ...route, hops: [{ ...hop, dexName: null }] }, 'hops.dex-name'],
  ['a share as text', { ...route, hops: [{ ...hop, share: '1' }] }, 'hops.share'],
  ['a hop that is no object', { ...route, hops: ['ETH'] }, 'hops.dex'],
  ['alternatives as an object', { ...route, alternatives: {} }, 'alternatives.winner-first'],
  [
    'market as an alternative',
    { ...route, alternatives: [winner, { ...winner, engine: 'market' }] },
    'service.market-only-result',
  ],
  [
    'an alternative without label',
    { ...route, alternatives: [{ ...winner, label: ' ' }] },
    'alternatives.label',
  ],
  [
    'an alternative without net output',
    { ...route, alternatives: [{ ...winner, netAmountOut: null }] },
    'alternatives.net',
  ],
  ['a negative distance', { ...route, alternatives: [{ ...winner, deltaBps: -1 }] }, 'alternatives.delta'],
])('catches a service that sends %s', (_broken, broken, failed) => {
  const { verdicts, route: parsed } = judgeRouteShape('quote', broken)
  expect(failedRequirements(verdicts)).toContain(failed)
  expect(parsed).toBeNull()
})

test('a build that leaves a field of the route out fails the clauses of build too', () => {
  const { verdicts } = judgeRouteShape('build', { ...route, midRate: undefined })
  expect(failedRequirements(verdicts)).toContain('build.response.route')
  expect(failedRequirements(judgeRouteShape('build', null).verdicts)).toContain('build.response.route')
})

test.each(['alternatives', 'hops'])('what is done for a long list of %s is bounded', (list) => {
  const judged = (entries: number) => {
    let reads = 0
    const count = () => {
      reads += 1
    }
    const entry = new Proxy({}, { get: count })
    const { verdicts } = judgeRouteShape('quote', { ...route, [list]: Array(entries).fill(entry) })
    return { failed: failedRequirements(verdicts), reads }
  }
  const large = judged(300_000)
  expect(large.failed).toEqual(judged(2).failed)
  expect(large.reads).toEqual(judged(3_000).reads)
})

test.each(['alternatives', 'hops'] as const)(
  'a long list of well-formed %s is cut for every judge',
  (list) => {
    const [entry] = route[list]
    const long = { ...route, [list]: Array(2_000).fill(entry) }
    expect(judgeRouteShape('quote', long).route?.[list].length).toBeLessThan(1_000)
  },
)
