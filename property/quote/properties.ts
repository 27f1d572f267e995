import { demand } from '../../src/runner/demand.ts'
import type { Property } from '../../src/runner/family.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { ObservedQuote } from './observed.ts'

export interface ObservedQuotes {
  readonly quotes: readonly ObservedQuote[]
}

/** A sentence about every quote by itself: that none of these requirements fails. */
function said(
  id: string,
  title: string,
  requirements: readonly [RequirementId, ...RequirementId[]],
): Property<ObservedQuotes> {
  const own: ReadonlySet<RequirementId> = new Set(requirements)
  return {
    id,
    title,
    requirements,
    holds: ({ quotes }) => {
      let questions = 0
      for (const { verdicts } of quotes) {
        const mine = verdicts.filter(({ requirement }) => own.has(requirement))
        demand(mine)
        if (mine.some(({ outcome }) => outcome === 'pass')) questions += 1
      }
      return questions
    },
  }
}

/** What every quote promises, whatever the pools and the question. */
export const QUOTE_PROPERTIES: readonly Property<ObservedQuotes>[] = [
  said('quote.answers', 'every legal question is answered 200 with the fee envelope that was asked for', [
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
    'limits.service-fee',
    'quote.partner-fee.default',
  ]),
  said('quote.complete-route', 'a route has every field, each of its type', [
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
  said(
    'quote.echoes-the-question',
    'amountIn, slippage and fee are those of the question; midRate is their quotient',
    [
      'route.amount-in',
      'route.slippage-echo',
      'route.protocol-fee',
      'route.mid-rate',
      'quote.slippage.default',
    ],
  ),
  said('quote.hops-lead-from-input-to-output', 'the hops lead from the token sold to the token bought', [
    'hops.from',
    'hops.to',
    'hops.dex',
  ]),
  said('quote.minimum-matches-slippage', 'minimumReceived is the floor at the slippage', [
    'route.minimum-received.floor',
  ]),
  said('quote.net-is-output-less-gas', 'of every venue: netAmountOut = amountOut − gasCostOut', [
    'alternatives.gas-cost',
    'alternatives.gas-cost.output-units',
  ]),
  said('quote.ranking-follows-net', 'the ranking follows netAmountOut, and its first is the winner', [
    'alternatives.winner-first',
    'alternatives.net',
    'quote.ranking.after-gas',
    'quote.best-route',
  ]),
  said('quote.delta-from-net', 'deltaBps is the distance from the winner after gas', ['alternatives.delta']),
  said(
    'quote.every-venue-stands-in-the-list',
    'every venue that can price the pair is among the alternatives',
    ['alternatives.complete', 'quote.venues.all-asked', 'quote.prefer-engine.only'],
  ),
  said(
    'quote.equals-the-models',
    'every output is what the exact model of the pool pays for the input less the fee',
    ['amounts.net-of-fee', 'route.amount-out', 'alternatives.amount-out', 'fees.total.baked-in'],
  ),
  said('quote.impact-against-the-marks', 'priceImpactBps is the loss against the USD marks, never negative', [
    'route.price-impact.magnitude',
    'route.price-impact.against-mark',
  ]),
  said('quote.market-is-not-executable', 'only the estimate of market is not executable', [
    'route.executable',
    'quote.market.not-executable',
  ]),
]
