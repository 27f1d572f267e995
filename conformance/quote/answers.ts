import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { bodyOf, isAboutAsMuch, type SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { MARKET, VENUE_IDS } from '../../src/spec/venues.ts'
import type { Query } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { assert, assertStatus, note, noteChoice } from '../support/expect.ts'
import { feedsOf } from '../support/feeds.ts'
import { POOLS_UNKNOWN, sendBuild, sendQuote } from '../support/judged.ts'
import { type Asked, bodyFor, EVERYWHERE, swapOf, titleOf, usesOf } from '../support/swaps.ts'
import { outsideToken } from '../support/tokens.ts'
import { BUILD, QUOTE, serveTwin } from '../support/twins.ts'
import { judgedQuote } from './served.ts'

/** Requirements that every quote with a route is judged by: each field against the others, the request and the exact models. */
const JUDGED: readonly RequirementId[] = [
  ...(['service.venue-ids', 'service.market-only-result', 'route.null-or-object', 'route.engine'] as const),
  ...(['route.venues', 'route.amount-in', 'route.amount-out', 'route.minimum-received.floor'] as const),
  ...(['route.mid-rate', 'route.price-impact.magnitude', 'route.network-fee', 'route.executable'] as const),
  ...(['route.slippage-echo', 'route.protocol-fee', 'route.quote-id', 'route.expires-at'] as const),
  ...([
    'hops.present',
    'hops.from',
    'hops.to',
    'hops.path',
    'hops.dex',
    'hops.dex-name',
    'hops.share',
  ] as const),
  ...(['alternatives.winner-first', 'alternatives.engine'] as const),
  ...([
    'alternatives.label',
    'alternatives.amount-out',
    'alternatives.net',
    'alternatives.net.signed',
    'alternatives.gas-cost',
  ] as const),
  ...(['alternatives.delta', 'amounts.human-units', 'amounts.net-of-fee', 'quote.best-route'] as const),
  ...(['quote.ranking.after-gas', 'quote.response.shape', 'fees.envelope', 'fees.listed.zero'] as const),
  ...(['fees.integrator.zero', 'fees.total.equals-partner'] as const),
]
/** The pair of all six venues in reverse, from 18 decimals to 6; the sample swap goes forward. */
const BACKWARDS = { from: EVERYWHERE.to, to: EVERYWHERE.from, amount: 2_345.678 } as const
const FEE = { partnerFeeBps: 50, partnerFeeRecipient: ACCOUNTS.partnerOne.address } as const

type Row = readonly [name: string, ask: Asked, ...more: readonly RequirementId[]]
const ROUTES: readonly Row[] = [
  ['six-venues', BACKWARDS, 'quote.venues.all-asked'],
  ['six-venues.with-fee', { ...BACKWARDS, ...FEE }, 'fees.total.baked-in', 'fees.on-input'],
  ['market', { sample: {} }],
  ['market.with-fee', { sample: FEE }],
  ['market.no-slippage', { sample: { slippageBps: 0 } }],
  ['six-venues.large', { ...EVERYWHERE, amount: 750_000 }],
  ['native-in', { from: 'ETH', to: 'USDG', amount: 1.5 }],
  ['native-out', { from: 'USDG', to: 'ETH', amount: 4_000 }, 'alternatives.gas-cost.output-units'],
  ['wrapped-out', { from: 'LSETH', to: 'WETH', amount: 2 }, 'alternatives.gas-cost.output-units'],
  ['one-venue', { from: 'HOOD', to: 'USDG', amount: 10 }],
  ['two-hops', { from: 'WBTC', to: 'USDG', amount: 0.25 }],
  [
    'fee-with-remainder',
    { ...EVERYWHERE, amount: 1_234.567891, ...FEE, partnerFeeBps: 33 },
    'fees.total.baked-in',
  ],
  ['gas-above-output', { from: 'USDG', to: 'DUSD', amount: 0.01 }],
  // Truncated to 18 decimals, this amount would have four digits.
  ['beyond-18-decimals', { from: 'BIG', to: 'WETH', amount: 1.23456e-15 }],
  ['smallest-unit-in', { from: 'USDG', to: 'DUSD', amount: 0.000001 }],
  ...VENUE_IDS.map((preferEngine): Row => [`forced.${preferEngine}`, { ...EVERYWHERE, preferEngine }]),
]

const routes: readonly Case<'control'>[] = ROUTES.map(([name, ask, ...more]) => ({
  id: `quote.route.${name}`,
  title: `the route of ${titleOf(ask)} is right in every field: ${name}`,
  requirements: [
    ...JUDGED,
    ...('sample' in ask
      ? []
      : ([ask.preferEngine ? 'quote.prefer-engine.only' : 'alternatives.complete'] as const)),
    ...more,
    'quote.cache-control',
    'route.network-fee.positive',
    'hops.meaning',
  ],
  uses: usesOf(ask),
  run: async (environment) => {
    const { route } = await judgedQuote(environment, swapOf(environment, ask))
    note('hops.meaning', `${route.hops.length} hop${route.hops.length === 1 ? '' : 's'} in a row`)
    return { exercised: 1, notes: route.alternatives.map(({ engine, deltaBps }) => `${engine} ${deltaBps}`) }
  },
}))

/** Pairs without a price: 200, `route: null`, every fee field zero, even if a fee was requested. */
const NO_PRICE: Readonly<Record<string, SwapParameters>> = {
  'no-venue': { from: 'VOID', to: 'ETH', amount: 1 },
  'no-venue.out': { from: 'ETH', to: 'VOID', amount: 1 },
  'no-venue.with-fee': { from: 'VOID', to: 'USDG', amount: 1, ...FEE },
  'forced-venue-cannot': { from: 'HOOD', to: 'USDG', amount: 1, preferEngine: 'venue_a', ...FEE },
  'forced-venue-is-no-market': { from: 'GOLD', to: 'USDG', amount: 1, preferEngine: 'venue_f' },
}
const noPrice: readonly Case<'control'>[] = Object.entries(NO_PRICE).map(([name, ask]) => {
  const forced = ask.preferEngine === undefined ? [] : (['quote.prefer-engine.null-when-unpriced'] as const)
  return {
    id: `quote.no-price.${name}`,
    title: `${ask.from} to ${ask.to} is 200 with route null and no fees: ${name}`,
    requirements: [
      ...([
        'quote.no-price.not-an-error',
        'quote.no-price.null-route',
        'quote.no-price.zero-envelope',
      ] as const),
      ...(['fees.recipient.null', 'quote.cache-control', 'build.never-cached'] as const),
      ...forced,
    ],
    uses: ['control'],
    run: async (environment) => {
      await sendQuote(environment, { ...ask }, { mustBe: 'unpriced', clauses: forced })
      const clauses = ['build.no-executable-route.no-venue'] as const
      await sendBuild(environment, bodyFor(environment, 'alice', ask), { mustBe: 'unbuildable', clauses })
      await serveTwin(QUOTE, environment)
      await serveTwin(BUILD, environment)
      return { exercised: 1 }
    },
  }
})

/** This token has a pool, but its transfers return false: the service decides if it has a price. */
const failingTransfers: Case<'control'> = {
  id: 'quote.no-price.failing-transfers',
  title: 'a token whose transfers return false, sold and bought, is 200 with or without a route',
  requirements: ['quote.no-price.not-an-error'],
  uses: ['control'],
  run: async (environment) => {
    const asks = [
      { ...outsideToken(environment, 'from', 'FALSY'), to: 'WETH', amount: 10 },
      { from: 'WETH', ...outsideToken(environment, 'to', 'FALSY'), amount: 1 },
    ] as readonly Query[]
    for (const ask of asks) {
      const { answer } = await sendQuote(environment, ask, { mustBe: 'anything' }, { known: POOLS_UNKNOWN })
      assertStatus('quote.no-price.not-an-error', answer, 200)
    }
    return { exercised: asks.length }
  },
}

/**
 * An estimate is net of the fee too (§1). A service chooses its own marks, so the estimate is compared with the one without a
 * fee. The tolerance is half of the fee, for marks that move in between.
 */
async function compareWithFee(
  environment: Environment,
  ask: SwapParameters,
  amountOut: number,
): Promise<void> {
  const { answer, route } = await sendQuote(environment, { ...ask, ...FEE }, { mustBe: 'served' })
  if (route?.engine !== MARKET) return
  const { totalFeeBps } = bodyOf(answer) as { readonly totalFeeBps: number }
  const net = amountOut * (1 - totalFeeBps / 10_000)
  const isNet = Math.abs(route.amountOut - net) <= (amountOut - net) / 2
  assert('amounts.net-of-fee', isNet, `about ${net} ${ask.to}, ${totalFeeBps} bps less`, route.amountOut)
}

/** A token with a mark and no pool may be estimated. The estimate is not executable and never built (§4.1 rule 2). */
const market: readonly Case<'control'>[] = [
  { from: 'GOLD', to: 'USDG', amount: 2 },
  { from: 'ETH', to: 'GOLD', amount: 3 },
].map((ask) => ({
  id: `quote.market.${ask.from}-to-${ask.to}`,
  title: `${ask.from} to ${ask.to}: an estimate is not executable, and build returns 422`,
  requirements: [
    'quote.market.not-executable',
    'route.executable',
    'quote.market.when',
    'build.market.refused',
    'build.no-executable-route.no-venue',
    'build.no-executable-route.body',
    'amounts.human-units',
    'amounts.net-of-fee',
  ],
  uses: ['control'],
  run: async (environment) => {
    const { route } = await sendQuote(environment, ask, {
      mustBe: 'served',
      clauses: ['quote.no-price.not-an-error'],
    })
    const isEstimated = route?.engine === MARKET
    const engine = route ? route.engine : 'route null'
    const side = ask.from === 'GOLD' ? 'sold' : 'bought'
    const choice = isEstimated ? 'market' : 'no-route'
    noteChoice(`quote.market.when/${side}`, choice, undefined, `${ask.from} to ${ask.to}: ${engine}`)
    const marks = feedsOf(ask)
    if (isEstimated && marks !== null) {
      const worth = (ask.amount * Number(marks.from)) / Number(marks.to)
      const { amountOut } = route
      assert('amounts.human-units', isAboutAsMuch(amountOut, worth), `about ${worth} ${ask.to}`, amountOut)
      await compareWithFee(environment, ask, amountOut)
    }
    await sendBuild(environment, bodyFor(environment, 'alice', ask), {
      mustBe: 'unbuildable',
      clauses: isEstimated ? ['build.market.refused'] : ['build.no-executable-route.no-venue'],
    })
    await serveTwin(BUILD, environment)
    return isEstimated
      ? { exercised: 1, notes: [`quoted by ${route.engine}`] }
      : { exercised: 0, notApplicable: 'a pair with marks and without a venue has no market estimate' }
  },
}))

/**
 * The price impact against the chain's marks and against the caller's. The caller's marks may improve it (§4.1), and a service
 * that uses only the chain's conforms as well.
 */
const LARGE = { from: 'ETH', to: 'USDG', amount: 25 } as const
const IMPACTS = {
  feeds: LARGE,
  'feeds.gain': { from: 'LSETH', to: 'ETH', amount: 1 },
  'callers-marks': { ...LARGE, fromPriceUsd: 3_000, toPriceUsd: 1 },
  'callers-marks.with-fee': { ...LARGE, ...FEE, fromPriceUsd: 3_000, toPriceUsd: 1 },
  'callers-mark.from': { from: 'USDG', to: 'ETH', amount: 50_000, fromPriceUsd: 1.25 },
  'callers-mark.to': { ...LARGE, toPriceUsd: 1.25 },
  'callers-marks.gain': { from: 'ETH', to: 'USDG', amount: 1, fromPriceUsd: 2_000, toPriceUsd: 1 },
} as const
const impact: readonly Case<'control'>[] = Object.entries(IMPACTS).flatMap(([name, ask]) =>
  (['quote', 'build'] as const).map((endpoint) => ({
    id: `${endpoint}.impact.${name}`,
    title: `priceImpactBps of ${ask.amount} ${ask.from} to ${ask.to} in a ${endpoint} is the loss against the marks: ${name}`,
    requirements: [
      'route.price-impact.against-mark',
      'route.price-impact.to-one-bp',
      'route.price-impact.magnitude',
    ],
    uses: ['control'],
    run: async (environment) => {
      const known = { known: { feeds: feedsOf(ask) } }
      if (endpoint === 'quote') {
        const { route } = await judgedQuote(environment, ask, {}, null, known)
        return { exercised: 1, notes: [`${route.priceImpactBps} bps`] }
      }
      const intent = { mustBe: 'served' } as const
      const { build } = await sendBuild(environment, bodyFor(environment, 'alice', ask), intent, known)
      return { exercised: 1, notes: [`${build?.route.priceImpactBps} bps`] }
    },
  })),
)

/** A quote leaves the chain unchanged and returns no transaction (§1). */
const buildsNothing: Case<'control'> = {
  id: 'quote.builds-nothing',
  title: 'a quote has no tx, and leaves the head and the pool of transactions as they were',
  requirements: ['quote.builds-nothing'],
  uses: ['control'],
  run: async (environment) => {
    const { chain } = environment.control.sandbox
    const [head, pool] = [await chain.head(), await chain.pool()]
    const answer = await environment.client().quote({ ...EVERYWHERE, sender: ACCOUNTS.alice.address })
    const fields = ['tx', 'feeTransfer', 'attribution'].filter((field) => bodyOf(answer)[field] !== undefined)
    assert('quote.builds-nothing', answer.status === 200 && fields.length === 0, 'no transaction', fields)
    const after = await chain.head()
    assert('quote.builds-nothing', after.hash === head.hash, head.hash, after.hash)
    assert('quote.builds-nothing', (await chain.pool()).length === pool.length, 'no new transaction', 'one')
    return { exercised: 1 }
  },
}

export const answerCases: readonly Case[] = [
  ...[...routes, ...noPrice, failingTransfers],
  ...[...market, ...impact, buildsNothing],
]
