import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { SOMEBODY } from '../defects/helpers/values.ts'
import type { Json } from '../defects/helpers/wire.ts'
import type { Scene } from './scene.ts'

/** Changes the body of a 200 in place. */
export type Edit = (body: Json, scene: Scene) => unknown

const marked = ({ fields }: Scene) => fields.fromPriceUsd !== undefined || fields.toPriceUsd !== undefined

type RouteEdits = Readonly<
  Record<string, readonly [RequirementId, (route: Json, body: Json, scene: Scene) => unknown]>
>

/** Edits of the route of a quote only: a build re-quotes the best venue (§1) and need not list others. */
export const QUOTE_ROUTE: RouteEdits = {
  'the last alternative is missing': [
    'alternatives.complete',
    (route) => route.alternatives.length > 1 && route.alternatives.pop(),
  ],
}

/** Edits of a route that apply to both quote and build. */
export const ROUTE: RouteEdits = {
  'all outputs are 0.2 % higher': [
    'route.amount-out',
    (route) => {
      for (const name of ['amountOut', 'minimumReceived', 'midRate']) route[name] *= 1.002
      for (const each of route.alternatives)
        for (const name of ['amountOut', 'netAmountOut', 'gasCostOut']) each[name] *= 1.002
    },
  ],
  'amountOut is 0.5 % lower': ['route.amount-out', (route) => (route.amountOut *= 0.995)],
  'amountIn is 1 % lower': ['route.amount-in', (route) => (route.amountIn *= 0.99)],
  'minimumReceived is 1 % higher': [
    'route.minimum-received.floor',
    (route) => (route.minimumReceived *= 1.01),
  ],
  'minimumReceived is half': ['route.minimum-received.floor', (route) => (route.minimumReceived /= 2)],
  'midRate is 1 % higher': ['route.mid-rate', (route) => (route.midRate *= 1.01)],
  'priceImpactBps is 40 higher': [
    'route.price-impact.to-one-bp',
    (route, _body, scene) => {
      if (!marked(scene) && route.priceImpactBps !== null) route.priceImpactBps += 40
    },
  ],
  'priceImpactBps is below zero': ['route.price-impact.magnitude', (route) => (route.priceImpactBps = -3)],
  'networkFeeEth is a hundred times as high': [
    'alternatives.gas-cost.output-units',
    (route) => (route.networkFeeEth *= 100),
  ],
  'networkFeeEth is 0': ['route.network-fee.positive', (route) => (route.networkFeeEth = 0)],
  'slippageBps is one higher': ['route.slippage-echo', (route) => (route.slippageBps += 1)],
  'executable is false': ['route.executable', (route) => (route.executable = false)],
  'executable is missing': ['route.null-or-object', (route) => delete route.executable],
  'protocolFeeBps is one higher': ['route.protocol-fee', (route) => (route.protocolFeeBps += 1)],
  'quoteId is always the same': [
    'route.quote-id.distinct',
    (route) => (route.quoteId = '5e1f0f36-0000-4000-8000-000000000001'),
  ],
  'quoteId is empty': ['route.quote-id', (route) => (route.quoteId = '')],
  'expiresAt is in seconds': [
    'route.expires-at',
    (route) => (route.expiresAt = Math.floor(route.expiresAt / 1_000)),
  ],
  'expiresAt is a minute ago': ['route.expires-at', (route) => (route.expiresAt -= 75_000)],
  'engine is that of the last alternative': [
    'quote.best-route',
    (route) => (route.engine = route.alternatives.at(-1).engine),
  ],
  'the alternatives are in reverse': ['quote.ranking.after-gas', (route) => route.alternatives.reverse()],
  'the winner is listed twice': [
    'alternatives.winner-first',
    (route) => route.alternatives.push(route.alternatives[0]),
  ],
  'amountOut of the alternatives is 1 % higher': [
    'alternatives.amount-out',
    (route) => {
      for (const each of route.alternatives) each.amountOut *= 1.01
    },
  ],
  'gasCostOut is 0': [
    'alternatives.gas-cost',
    (route) => {
      for (const each of route.alternatives) each.gasCostOut = 0
    },
  ],
  'deltaBps of the winner is 1': ['alternatives.delta', (route) => (route.alternatives[0].deltaBps = 1)],
  'deltaBps is negative': [
    'alternatives.delta',
    (route) => {
      for (const each of route.alternatives) each.deltaBps = -each.deltaBps
    },
  ],
  'the label of an alternative is empty': [
    'alternatives.label',
    (route) => (route.alternatives.at(-1).label = ''),
  ],
  'an alternative lacks netAmountOut': [
    'alternatives.net',
    (route) => delete route.alternatives.at(-1).netAmountOut,
  ],
  'hops is empty': ['hops.present', (route) => (route.hops = [])],
  'a hop has the venue label as dex': ['hops.dex', (route) => (route.hops[0].dex = route.hops[0].dexName)],
  'a hop starts from an address': ['hops.from', (route) => (route.hops[0].from = SOMEBODY)],
  'the last hop ends at an address': ['hops.to', (route) => (route.hops.at(-1).to = SOMEBODY)],
  'share is 100': [
    'hops.share',
    (route) => {
      if (route.hops.length === 1) route.hops[0].share = 100
    },
  ],
  'venues is empty': ['route.venues', (route) => (route.venues = [])],
  'amountOut is text': ['amounts.human-units', (route) => (route.amountOut = String(route.amountOut))],
  'listedFeeBps is 1': ['fees.listed.zero', (_route, body) => (body.listedFeeBps = 1)],
  'partnerFeeBps is one higher': ['fees.partner.echo', (_route, body) => (body.partnerFeeBps += 1)],
  'partnerFeeRecipient is null': ['fees.recipient.echo', (_route, body) => (body.partnerFeeRecipient = null)],
  'partnerFeeRecipient is somebody else': [
    'fees.recipient.echo',
    (_route, body) => (body.partnerFeeRecipient = SOMEBODY),
  ],
  'totalFeeBps is 0': ['fees.total.equals-partner', (_route, body) => (body.totalFeeBps = 0)],
  'totalFeeBps is missing': ['fees.envelope', (_route, body) => delete body.totalFeeBps],
}

/** Edits of a build beyond its route. */
export const BUILD: Readonly<Record<string, readonly [RequirementId, Edit]>> = {
  'engine is null': ['build.response.engine', (body) => (body.engine = null)],
  'to is somebody': ['tx.to.contract', ({ tx }) => (tx.to = SOMEBODY)],
  'data ends one byte early': ['tx.data', ({ tx }) => (tx.data = tx.data.slice(0, -2))],
  'value is 0': ['tx.value.native', ({ tx }) => (tx.value = '0')],
  'value is one wei more': ['tx.value.native', ({ tx }) => (tx.value = String(BigInt(tx.value) + 1n))],
  'value is a number': ['tx.value.decimal', ({ tx }) => (tx.value = Number(tx.value))],
  'allowanceTarget is null': ['tx.allowance-target.spender', ({ tx }) => (tx.allowanceTarget = null)],
  'allowanceTarget is somebody': ['tx.allowance-target.spender', ({ tx }) => (tx.allowanceTarget = SOMEBODY)],
  'permit2 is the opposite': [
    'tx.permit2.flag',
    ({ tx }) => {
      if (tx.allowanceTarget !== null) tx.permit2 = !tx.permit2
    },
  ],
  'chainId is 1': ['tx.chain-id', ({ tx }) => (tx.chainId = 1)],
  'feeTransfer is null': ['build.fee-transfer.venues', (body) => (body.feeTransfer = null)],
  'feeTransfer is missing': ['build.response.fee-transfer', (body) => delete body.feeTransfer],
  'amountRaw is 1 % higher': [
    'fee-transfer.amount-raw',
    ({ feeTransfer }) => {
      if (feeTransfer) feeTransfer.amountRaw = String((BigInt(feeTransfer.amountRaw) * 101n) / 100n)
    },
  ],
  'the fee transfer goes to the partner': [
    'fee-transfer.to',
    (body) => {
      if (body.feeTransfer) body.feeTransfer.to = body.partnerFeeRecipient
    },
  ],
  'the fee transfer is of the zero address': [
    'fee-transfer.token',
    ({ feeTransfer }) => {
      if (feeTransfer) feeTransfer.token = `0x${'00'.repeat(20)}`
    },
  ],
  'attribution is null': ['attribution.populated', (body) => (body.attribution = null)],
  'buildId is another': [
    'confirm.build-id.from-attribution',
    ({ attribution }) => {
      if (attribution) attribution.buildId = `${attribution.buildId.slice(0, -4)}dead`
    },
  ],
  'validUntil is two minutes early': [
    'attribution.valid-until.window',
    ({ attribution }) => {
      if (attribution) attribution.validUntil -= 120_000
    },
  ],
  'confirmations is 10': [
    'attribution.confirmations',
    ({ attribution }) => {
      if (attribution) attribution.confirmations = 10
    },
  ],
}
