import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import { changeRoute, changeRouteOf, type Json } from './helpers/wire.ts'

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits
const onHops = (change: (hop: Json, index: number, all: Json[]) => void) =>
  changeRoute(({ hops }) => {
    hops.forEach(change)
  })

/** Mistakes in the impact of one endpoint. */
const impacts = (['quote', 'build'] as const).flatMap((endpoint) =>
  defectTable(changeRouteOf(endpoint), {
    [`route.price-impact-with-the-fee-on-top.${endpoint}`]: [
      'route.price-impact.to-one-bp',
      `priceImpactBps of a ${endpoint} has the partner fee twice: in the output, and on top`,
      ({ priceImpactBps, protocolFeeBps }) => ({ priceImpactBps: priceImpactBps + protocolFeeBps }),
    ],
    [`route.price-impact-always-zero.${endpoint}`]: [
      endpoint === 'quote' ? 'route.price-impact.against-mark' : 'route.price-impact.to-one-bp',
      `priceImpactBps of a ${endpoint} is always 0`,
      () => ({ priceImpactBps: 0 }),
    ],
  }),
)

/** §2.2: mistakes in the fields of `route`, its hops included. */
export const routeDefects: readonly Defect[] = [
  ...impacts,
  ...defectTable(changeRoute, {
    'route.field-missing-when-zero': [
      'route.null-or-object',
      'a route lacks the fields that are 0',
      (route) => {
        for (const [field, value] of Object.entries(route)) if (value === 0) delete route[field]
      },
    ],
    'route.engine-is-label': [
      'route.engine',
      'engine holds the label of the venue instead of its id',
      ({ venues }) => ({ engine: venues[0] }),
    ],
    'route.venues-empty': [
      'route.venues',
      'venues is empty for a route of one hop',
      ({ hops }) => hops.length === 1 && { venues: [] },
    ],
    'route.amount-in-net-of-fee': [
      'route.amount-in',
      'amountIn is the amount that the venue swaps, without the partner fee',
      ({ amountIn }, { totalFeeBps }) => ({ amountIn: round(amountIn * (1 - totalFeeBps / 10_000), 6) }),
    ],
    'route.amount-out-rounded-to-cents': [
      'route.amount-out',
      'amountOut is rounded to two decimals',
      (route) => {
        route.amountOut = route.alternatives[0].amountOut = round(route.amountOut, 2)
      },
    ],
    'route.minimum-divides-by-one-plus-slippage': [
      'route.minimum-received.floor',
      'minimumReceived is out / (1 + slippage) instead of out × (1 − slippage)',
      ({ amountOut, slippageBps }) => ({ minimumReceived: amountOut / (1 + slippageBps / 10_000) }),
    ],
    'route.mid-rate-inverted': [
      'route.mid-rate',
      'midRate is the input per output',
      ({ amountIn, amountOut }) => ({ midRate: amountIn / amountOut }),
    ],
    'route.price-impact-signed': [
      'route.price-impact.magnitude',
      'priceImpactBps is negative for a gain against the mark',
      ({ priceImpactBps }) => ({ priceImpactBps: priceImpactBps || -1 }),
    ],
    'route.price-impact-in-percent': [
      'route.price-impact.against-mark',
      'priceImpactBps is given in percent',
      ({ priceImpactBps }) => ({ priceImpactBps: priceImpactBps / 100 }),
    ],
    'route.price-impact-of-one-mark': [
      'route.price-impact.against-mark',
      'where the caller sends one mark, the other token is taken for a dollar',
      ({ amountIn, amountOut }, _body, { fromPriceUsd, toPriceUsd }) => {
        const isOne = (fromPriceUsd === undefined) !== (toPriceUsd === undefined)
        const [from, to] = [Number(fromPriceUsd ?? 1), Number(toPriceUsd ?? 1)]
        return isOne && { priceImpactBps: Math.max(0, 10_000 * (1 - (amountOut * to) / (amountIn * from))) }
      },
    ],
    'route.network-fee-null': ['route.network-fee', 'networkFeeEth is null', () => ({ networkFeeEth: null })],
    'route.network-fee-always-zero': [
      'route.network-fee.positive',
      'networkFeeEth is always 0',
      () => ({ networkFeeEth: 0 }),
    ],
    'route.slippage-echoes-default': [
      'route.slippage-echo',
      'slippageBps of the route is always the default',
      () => ({ slippageBps: 50 }),
    ],
    'route.protocol-fee-is-listed-fee': [
      'route.protocol-fee',
      'protocolFeeBps is the fee of the service alone',
      (_route, { listedFeeBps }) => ({ protocolFeeBps: listedFeeBps }),
    ],
    'route.quote-id-not-a-uuid': [
      'route.quote-id',
      'quoteId is not a UUID',
      ({ quoteId }) => ({ quoteId: `q_${quoteId.slice(0, 8)}` }),
    ],
    'route.quote-id-of-pair': [
      'route.quote-id.distinct',
      'quoteId is derived from the pair, so two amounts have the same one',
      (_route, _body, { from, to }) => {
        const hex = Buffer.from(`${from}/${to}`.padEnd(16, '.')).toString('hex').slice(0, 12)
        return { quoteId: `00000000-0000-4000-8000-${hex}` }
      },
    ],
    'route.expires-in-seconds': [
      'route.expires-at',
      'expiresAt is in epoch seconds',
      ({ expiresAt }) => ({ expiresAt: Math.ceil(expiresAt / 1_000) }),
    ],
    'route.expires-in-microseconds': [
      'route.expires-at',
      'expiresAt is in epoch microseconds',
      ({ expiresAt }) => ({ expiresAt: expiresAt * 1_000 }),
    ],
    'hops.none-for-direct-routes': [
      'hops.present',
      'a route through one pool has no hops',
      ({ hops }) => hops.length === 1 && { hops: [] },
    ],
    'hops.last-missing': [
      'hops.path',
      'the last of several hops is missing',
      ({ hops }) => hops.length > 1 && { hops: hops.slice(0, -1) },
    ],
  }),
  ...defectTable(changeRouteOf('quote'), {
    'route.executable-only-on-build': [
      'route.executable',
      'executable is false in every quote, because nothing is built yet',
      () => ({ executable: false }),
    ],
  }),
  ...defectTable(changeRouteOf('build'), {
    'route.minimum-a-unit-above-the-calldata': [
      'route.minimum-received.on-chain',
      'minimumReceived of a build is rounded up, and the minimum in the calldata down',
      ({ amountOut, slippageBps, hops }) => {
        const keptRaw = Math.round(amountOut * 1e6) * (10_000 - slippageBps)
        return hops.at(-1).to === 'USDG' && { minimumReceived: Math.ceil(keptRaw / 10_000) / 1e6 }
      },
    ],
    'route.minimum-not-that-of-the-calldata': [
      'route.minimum-received.on-chain',
      'minimumReceived of a build is rounded to four digits, above the minimum in the calldata',
      ({ minimumReceived }) => ({ minimumReceived: Number(minimumReceived.toPrecision(4)) }),
    ],
    'route.build-expires-in-microseconds': [
      'route.expires-at',
      'expiresAt of a build is in epoch microseconds',
      ({ expiresAt }) => ({ expiresAt: expiresAt * 1_000 }),
    ],
    'route.build-without-alternatives': [
      'build.response.route',
      'the route of a build has no alternatives',
      (route) => {
        delete route.alternatives
      },
    ],
  }),
  ...defectTable(onHops, {
    'hops.all-from-the-input': [
      'hops.path',
      'every hop starts from the token sold',
      (hop, _index, all) => {
        hop.from = all[0].from
      },
    ],
    'hops.address-between': [
      'hops.to',
      'a token in the middle of a route is given by its address',
      (hop, index, all) => {
        const next = all[index + 1]
        if (next) hop.to = next.from = `0x${'ab'.repeat(20)}`
      },
    ],
    'hops.from-the-address-of-the-input': [
      'hops.from',
      'the token sold is given by its address in the first hop',
      (hop, index) => {
        if (index === 0) hop.from = `0x${'ab'.repeat(20)}`
      },
    ],
    'hops.dex-is-label': [
      'hops.dex',
      'dex holds the label of the venue',
      (hop) => {
        hop.dex = hop.dexName
      },
    ],
    'hops.dex-name-empty': [
      'hops.dex-name',
      'dexName is empty for every venue but venue_a',
      (hop) => {
        if (hop.dex !== 'venue_a') hop.dexName = ''
      },
    ],
    'hops.share-in-percent': [
      'hops.share',
      'share is given in percent',
      (hop) => {
        hop.share *= 100
      },
    ],
  }),
]
