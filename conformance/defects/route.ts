import { type Defect, defect } from './defect.ts'
import { routing, showing } from './making/wire.ts'

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits

/** §2.2: mistakes in the fields of `route`. */
export const routeDefects: readonly Defect[] = [
  defect(
    'route.field-missing-when-zero',
    'route.null-or-object',
    'a field that is 0 or empty is left out of the route',
    routing((route) => {
      for (const [field, value] of Object.entries(route)) if (value === 0) delete route[field]
    }),
  ),
  defect(
    'route.engine-is-label',
    'route.engine',
    'engine carries the label of the venue instead of its id',
    routing((route) => {
      route.engine = route.venues[0]
    }),
  ),
  defect(
    'route.venues-empty',
    'route.venues',
    'venues is filled only for routes of several venues',
    routing((route) => {
      if (route.hops.length === 1) route.venues = []
    }),
  ),
  defect(
    'route.amount-in-net-of-fee',
    'route.amount-in',
    'amountIn is what the venue swaps, with the partner fee already taken off',
    routing((route, { totalFeeBps }) => {
      route.amountIn = round(route.amountIn * (1 - totalFeeBps / 10_000), 6)
    }),
  ),
  defect(
    'route.amount-out-rounded-to-cents',
    'route.amount-out',
    'amountOut is rounded to two decimals for display',
    routing((route) => {
      route.amountOut = round(route.amountOut, 2)
      route.alternatives[0].amountOut = route.amountOut
    }),
  ),
  defect(
    'route.minimum-divides-by-one-plus-slippage',
    'route.minimum-received.floor',
    'minimumReceived is out / (1 + slippage) instead of out × (1 − slippage)',
    routing((route) => {
      route.minimumReceived = route.amountOut / (1 + route.slippageBps / 10_000)
    }),
  ),
  defect(
    'route.minimum-not-that-of-the-calldata',
    'route.minimum-received.on-chain',
    'minimumReceived of a build is shown to four digits, above what the calldata enforces',
    showing('build', ({ route }) => {
      route.minimumReceived = Number(route.minimumReceived.toPrecision(4))
    }),
  ),
  defect(
    'route.mid-rate-inverted',
    'route.mid-rate',
    'midRate is input per output',
    routing((route) => {
      route.midRate = route.amountIn / route.amountOut
    }),
  ),
  defect(
    'route.price-impact-signed',
    'route.price-impact.magnitude',
    'a gain against the mark shows as a negative impact',
    routing((route) => {
      if (route.priceImpactBps === 0) route.priceImpactBps = -1
    }),
  ),
  defect(
    'route.price-impact-in-percent',
    'route.price-impact.against-mark',
    'priceImpactBps is given in percent',
    routing((route) => {
      route.priceImpactBps /= 100
    }),
  ),
  defect(
    'route.network-fee-null',
    'route.network-fee',
    'networkFeeEth is null where no sender was given to estimate with',
    routing((route) => {
      route.networkFeeEth = null
    }),
  ),
  defect(
    'route.network-fee-always-zero',
    'route.network-fee.positive',
    'the gas estimate is a leftover zero',
    routing((route) => {
      route.networkFeeEth = 0
    }),
  ),
  defect(
    'route.slippage-echoes-default',
    'route.slippage-echo',
    'slippageBps of the route is always the default',
    routing((route) => {
      route.slippageBps = 50
    }),
  ),
  defect(
    'route.executable-only-on-build',
    'route.executable',
    'a quote says executable: false because nothing was built yet',
    showing('quote', ({ route }) => {
      if (route) route.executable = false
    }),
  ),
  defect(
    'route.protocol-fee-is-listed-fee',
    'route.protocol-fee',
    'protocolFeeBps is the fee of the service alone',
    routing((route, { listedFeeBps }) => {
      route.protocolFeeBps = listedFeeBps
    }),
  ),
  defect(
    'route.quote-id-not-a-uuid',
    'route.quote-id',
    'quoteId is a short id',
    routing((route) => {
      route.quoteId = `q_${route.quoteId.slice(0, 8)}`
    }),
  ),
  defect(
    'route.quote-id-of-pair',
    'route.quote-id.distinct',
    'quoteId is derived from the pair, so another amount has the same one',
    routing((route, _body, { from, to }) => {
      const hex = Buffer.from(`${from}/${to}`.padEnd(16, '.')).toString('hex').slice(0, 12)
      route.quoteId = `00000000-0000-4000-8000-${hex}`
    }),
  ),
  defect(
    'route.expires-in-seconds',
    'route.expires-at',
    'expiresAt is in epoch seconds',
    routing((route) => {
      route.expiresAt = Math.ceil(route.expiresAt / 1000)
    }),
  ),
  defect(
    'route.build-without-alternatives',
    'build.route.same-shape',
    'the route of a build leaves the alternatives out, since the venue is chosen',
    showing('build', ({ route }) => {
      delete route.alternatives
    }),
  ),
]
