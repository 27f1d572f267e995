import { type EngineId, MARKET, VENUE_IDS } from '../venues.ts'
import { assertedAs, type RequirementId } from './index.ts'

/**
 * The evidence that a whole run needs for a requirement in addition to its floor, if its clause covers several venues or
 * inputs.
 */
export interface NeededEvidence {
  /** Venues whose responses must have been judged, if the target serves them at all. */
  readonly venues: readonly EngineId[]
  /** Edges of the input space that must have been tested. */
  readonly boundaryClasses: readonly string[]
}

const classes = (...boundaryClasses: readonly string[]) => ({ boundaryClasses })
/** Returns classes of one kind, such as `refused.amount.zero`. */
const each = (start: string, ...ends: readonly string[]) => ends.map((end) => `${start}.${end}`)
const eachVenue = (start: string) => each(start, ...VENUE_IDS)

const MARKET_ONLY: Partial<NeededEvidence> = { venues: [MARKET] }
const EVERY_VENUE = { venues: VENUE_IDS }
const EVERY_ENGINE: Partial<NeededEvidence> = { venues: [...VENUE_IDS, MARKET] }
/** Venues whose fee is never transferred separately, so that each build has its attribution. */
const ONE_TRANSACTION = {
  venues: ['venue_a', 'venue_b', 'venue_e'],
} as const satisfies Partial<NeededEvidence>

const SLIPPAGE_REFUSED = each('refused.slippageBps', 'negative', 'above-5000')
const SLIPPAGE_SERVED = each('served.slippage', '0', '5000')
const SLIPPAGE_ENCODED = classes('slippage-0', 'slippage-50', 'slippage-5000')
const FEE_REFUSED = each('refused.partnerFeeBps', 'negative', 'above-50', 'fraction')
const FEE_SERVED = each('served.partner-fee', '0', '50')
const decimalsRefused = (field: 'fromDecimals' | 'toDecimals') =>
  each(`refused.${field}`, 'negative', 'above-36', 'fraction')
const decimalsServed = (side: 'sold' | 'bought') => each(`served.unknown-token.${side}`, 'ZERO', 'BIG')
/** Depths from one to eleven confirmations, which do not suffice. */
const SHALLOW = Array.from({ length: 11 }, (_none, index) => `depth-${index + 1}`)
const DEPTHS = classes(...SHALLOW, 'depth-beyond')
const isOf = (ids: readonly RequirementId[], needed: Partial<NeededEvidence>) =>
  ids.map((id): [RequirementId, Partial<NeededEvidence>] => [id, needed])

/** Evidence for clauses on every venue (§1, §2). A separate fee transfer is left open except for two venues (§4.2 rule 6). */
const OF_VENUES = [
  ...isOf(
    [
      'service.venue-ids',
      'service.market-only-result',
      'route.engine',
      'route.executable',
      'quote.cache-control',
    ],
    EVERY_ENGINE,
  ),
  ...isOf(['quote.market.not-executable'], MARKET_ONLY),
  ...isOf(
    [
      ...([
        'fees.envelope',
        'fees.listed.zero',
        'fees.integrator.zero',
        'fees.total.equals-partner',
      ] as const),
      ...(['fees.total.baked-in', 'fees.only-partner', 'fees.service-charges-nothing'] as const),
      ...(['amounts.net-of-fee', 'amounts.human-units', 'amounts.base-unit-strings'] as const),
      ...(['route.null-or-object', 'route.venues', 'route.amount-in', 'route.amount-out'] as const),
      ...(['route.minimum-received.on-chain', 'route.mid-rate', 'route.price-impact.magnitude'] as const),
      ...(['route.network-fee', 'route.protocol-fee', 'route.quote-id', 'route.expires-at'] as const),
      ...(['hops.present', 'hops.from', 'hops.to', 'hops.dex', 'hops.dex-name'] as const),
      ...(['alternatives.winner-first', 'alternatives.engine', 'alternatives.label'] as const),
      ...(['alternatives.amount-out', 'alternatives.gas-cost', 'quote.best-route'] as const),
      ...(['quote.prefer-engine.only', 'quote.unknown-token.priced', 'quote.response.shape'] as const),
      ...(['tx.to', 'tx.to.contract', 'tx.data', 'tx.chain-id'] as const),
      ...(['tx.value.decimal', 'tx.allowance-target.spender', 'tx.permit2.flag'] as const),
      ...(['build.returns-transaction', 'build.response.route'] as const),
      ...(['build.response.engine', 'build.response.tx', 'build.response.fee-envelope'] as const),
      ...(['build.prefer-engine.forces', 'build.sender.submits', 'build.requotes.live'] as const),
      ...(['build.minimum.guarantee', 'build.never-cached'] as const),
    ],
    EVERY_VENUE,
  ),
  ...isOf(
    [
      ...(['attribution.build-id', 'attribution.valid-until.window', 'attribution.confirmations'] as const),
      ...(['attribution.populated'] as const),
    ],
    ONE_TRANSACTION,
  ),
]

const OF_CLASSES: Readonly<Partial<Record<RequirementId, Partial<NeededEvidence>>>> = {
  'fees.partner.echo': { ...EVERY_VENUE, ...classes('fee-zero', 'fee-between', 'fee-max') },
  'route.minimum-received.floor': {
    ...EVERY_VENUE,
    ...classes('slippage-zero', 'slippage-between', 'slippage-max'),
  },
  'route.slippage-echo': {
    ...EVERY_VENUE,
    ...classes('slippage-zero', 'slippage-between', 'slippage-max', 'served.defaults'),
  },
  'route.price-impact.against-mark': classes('gain', 'loss'),
  'alternatives.complete': classes('venues-1', 'venues-6', ...eachVenue('without')),
  'alternatives.net': classes('one-venue', 'several-venues'),
  'alternatives.delta': { ...EVERY_VENUE, ...classes('winner-only', 'with-others') },
  'quote.ranking.after-gas': { ...EVERY_VENUE, ...classes('several-venues') },
  'tx.data.minimum': { ...EVERY_VENUE, ...SLIPPAGE_ENCODED },
  'build.minimum.encoded': { ...EVERY_VENUE, ...SLIPPAGE_ENCODED },
  'quote.from.pattern': classes(...each('refused.from', 'empty', '25-characters', 'symbol')),
  'limits.symbol': classes(
    ...each('refused.from', 'empty', '25-characters', 'symbol'),
    ...each('refused.to', 'empty', '25-characters', 'symbol'),
  ),
  'quote.amount.positive': classes(...each('refused.amount', 'zero', 'negative')),
  'limits.amount': classes(...each('refused.amount', 'zero', 'negative')),
  'quote.from-decimals.range': classes(...decimalsRefused('fromDecimals'), ...decimalsServed('sold')),
  'quote.to-decimals.range': classes(...decimalsRefused('toDecimals'), ...decimalsServed('bought')),
  'limits.decimals': classes(
    ...decimalsRefused('fromDecimals'),
    ...decimalsRefused('toDecimals'),
    ...decimalsServed('sold'),
    ...decimalsServed('bought'),
  ),
  'build.unknown-token.same-rules': classes(
    ...decimalsRefused('fromDecimals'),
    ...decimalsRefused('toDecimals'),
    ...decimalsServed('sold'),
    ...decimalsServed('bought'),
  ),
  'build.unknown-token.required': classes(
    ...['fromAddress', 'fromDecimals', 'toAddress', 'toDecimals'].map((field) => `refused.${field}.absent`),
  ),
  'quote.slippage.range': classes(...SLIPPAGE_REFUSED, 'refused.slippageBps.fraction', ...SLIPPAGE_SERVED),
  'build.slippage.range': classes(...SLIPPAGE_REFUSED, ...SLIPPAGE_SERVED),
  'limits.slippage': classes(...SLIPPAGE_REFUSED, ...SLIPPAGE_SERVED),
  'quote.partner-fee.range': classes(...FEE_REFUSED, ...FEE_SERVED),
  'build.partner-fee.range': classes(...FEE_REFUSED, ...FEE_SERVED),
  'limits.partner-fee': classes(...FEE_REFUSED, ...FEE_SERVED),
  'quote.prefer-engine.known': classes('refused.preferEngine.unknown', 'refused.preferEngine.market'),
  'build.prefer-engine.known': classes('refused.preferEngine.unknown', 'refused.preferEngine.market'),
  'quote.no-price.zero-envelope': classes('fee-asked-without-route', 'no-fee-without-route'),
  'build.falls-through': classes(...eachVenue('revert-on-swap'), ...eachVenue('burn-gas-on-swap')),
  'build.prefer-engine.live-quote': EVERY_VENUE,
  'quote.prefer-engine.null-when-unpriced': classes(...eachVenue('without')),
  'build.bad-request.invalid-address': classes(
    ...['sender', 'fromAddress', 'toAddress', 'partnerFeeRecipient'].map((field) => `refused.${field}.word`),
  ),
  'confirm.depth.twelve': DEPTHS,
  'limits.attribution-window': classes('window-last-seconds'),
  'confirm.build-not-found': classes('no-such-build', 'foreign-build'),
}

/** Kinds of request on which these clauses must have been judged: without a route, with a partner fee, with native input. */
const FOR_EACH_KIND: readonly (readonly [kind: string, readonly RequirementId[]])[] = [
  [
    'null-route',
    [
      ...(['quote.cache-control', 'quote.response.shape'] as const),
      ...(['fees.envelope', 'fees.listed.zero', 'fees.total.equals-partner'] as const),
    ],
  ],
  [
    'with-fee',
    [
      ...(['route.amount-in', 'route.mid-rate', 'route.protocol-fee', 'route.amount-out'] as const),
      ...(['route.minimum-received.floor', 'route.minimum-received.on-chain'] as const),
      ...(['fees.total.equals-partner', 'fees.listed.zero', 'fees.envelope'] as const),
      ...(['tx.data.minimum', 'build.minimum.encoded', 'build.response.fee-envelope'] as const),
      ...(['alternatives.gas-cost', 'alternatives.amount-out', 'build.never-cached'] as const),
      ...(['tx.chain-id', 'tx.to.contract', 'build.returns-transaction'] as const),
    ],
  ],
  [
    'native-in',
    [
      ...(['route.amount-in', 'route.mid-rate', 'route.amount-out', 'route.minimum-received.floor'] as const),
      ...(['tx.data.minimum', 'build.minimum.encoded', 'route.minimum-received.on-chain'] as const),
      ...(['tx.chain-id', 'tx.to.contract', 'build.returns-transaction', 'build.response.tx'] as const),
      ...(['attribution.populated', 'attribution.confirmations', 'build.never-cached'] as const),
    ],
  ],
]

const NEEDED: ReadonlyMap<RequirementId, Partial<NeededEvidence>> = (() => {
  const needed = new Map([
    ...OF_VENUES,
    ...(Object.entries(OF_CLASSES) as [RequirementId, Partial<NeededEvidence>][]),
  ])
  for (const [kind, ids] of FOR_EACH_KIND)
    for (const id of ids) {
      const { boundaryClasses = [], ...more } = needed.get(id) ?? {}
      needed.set(id, { ...more, boundaryClasses: [...boundaryClasses, kind] })
    }
  return needed
})()

/** Returns the venues and the boundary classes that a whole run must cover for a requirement. */
export function neededEvidence(id: RequirementId): NeededEvidence {
  return { venues: [], boundaryClasses: [], ...NEEDED.get(assertedAs(id)) }
}
