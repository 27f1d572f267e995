import type { Property } from '../../src/runner/families/family.ts'
import { demands } from '../assert.ts'
import type { ObservedQuote } from './observed.ts'

export interface ObservedQuotes {
  readonly quotes: readonly ObservedQuote[]
}

/** Restates verdicts on every quote. */
const answered = (id: string, title: string, requirements: Property<ObservedQuotes>['requirements']) =>
  demands<ObservedQuotes>({ id, title, requirements }, ({ quotes }) => quotes)

/** Properties of every quote, on any pools and for any request. */
export const QUOTE_PROPERTIES: readonly Property<ObservedQuotes>[] = [
  answered('quote.answers', 'every valid request gets 200, with the fee envelope that it calls for', [
    'quote.no-price.not-an-error',
    'quote.response.shape',
    'quote.no-price.zero-envelope',
    'fees.envelope',
    'fees.listed.zero',
    'fees.integrator.zero',
    'fees.partner.echo',
    'fees.recipient.echo',
    'fees.recipient.null',
    'fees.total.equals-partner',
    'quote.partner-fee.default',
  ]),
  answered('quote.complete-route', 'a route has every field, each of its type', [
    'route.engine',
    'route.venues',
    'hops.present',
    'hops.share',
    'hops.dex-name',
    'amounts.human-units',
    'route.network-fee',
    'route.network-fee.positive',
    'route.quote-id',
    'route.expires-at',
    'route.null-or-object',
    'alternatives.engine',
    'alternatives.label',
    'service.venue-ids',
  ]),
  answered(
    'quote.echoes-the-question',
    'amountIn, slippage and fee are those of the request; midRate is amountOut by amountIn',
    [
      'route.amount-in',
      'route.slippage-echo',
      'route.protocol-fee',
      'route.mid-rate',
      'quote.slippage.default',
    ],
  ),
  answered('quote.hops-lead-from-input-to-output', 'the hops lead from the token sold to the token bought', [
    'hops.from',
    'hops.to',
    'hops.path',
    'hops.dex',
  ]),
  answered('quote.minimum-matches-slippage', 'minimumReceived is the floor at the slippage', [
    'route.minimum-received.floor',
  ]),
  answered('quote.net-is-output-less-gas', 'of every venue: netAmountOut = amountOut − gasCostOut', [
    'alternatives.gas-cost',
    'alternatives.gas-cost.output-units',
  ]),
  answered('quote.ranking-follows-net', 'the ranking follows netAmountOut, and its first is the winner', [
    'alternatives.winner-first',
    'alternatives.net',
    'quote.ranking.after-gas',
    'quote.best-route',
  ]),
  answered('quote.delta-from-net', 'deltaBps is the distance from the winner, after gas or before it', [
    'alternatives.delta',
  ]),
  answered(
    'quote.every-venue-stands-in-the-list',
    'every venue that can price the pair is among the alternatives',
    ['alternatives.complete', 'quote.venues.all-asked', 'quote.prefer-engine.only'],
  ),
  answered(
    'quote.equals-the-models',
    'every output is what the exact model of the pool pays for the input less the fee',
    [
      'amounts.net-of-fee',
      'route.amount-out',
      'alternatives.amount-out',
      'fees.total.baked-in',
      'fees.on-input',
    ],
  ),
  answered(
    'quote.impact-against-the-marks',
    'priceImpactBps is the loss against the USD marks, never negative',
    ['route.price-impact.magnitude', 'route.price-impact.against-mark'],
  ),
  answered('quote.market-is-not-executable', 'only the estimate of market is not executable', [
    'route.executable',
    'quote.market.not-executable',
  ]),
]
