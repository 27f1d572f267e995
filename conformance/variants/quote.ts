import { type Variant, variant } from '../../src/runner/proof/variant.ts'
import { answerOf, changeResponse } from '../defects/helpers/wire.ts'

const NO_ROUTE = {
  route: null,
  listedFeeBps: 0,
  integratorFeeBps: 0,
  partnerFeeBps: 0,
  partnerFeeRecipient: null,
  totalFeeBps: 0,
}

/** Other ways to quote, and to refuse to. */
export const quoteVariants: readonly Variant[] = [
  variant(
    'quote-refusals-null-route',
    'a quote that breaks a rule is 200 with route null',
    ['quote.errors', 'quote.slippage.range', 'quote.partner-fee.range', 'quote.amount.positive'],
    changeResponse('quote', 400, () => answerOf(200, NO_ROUTE, { 'cache-control': 'private, no-store' })),
  ),
]
