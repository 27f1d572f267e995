import { type Variant, variant } from '../../src/runner/proof/variant.ts'
import { around } from '../../src/service/testing.ts'
import { NO_ROUTE } from '../defects/helpers/values.ts'
import {
  answerOf,
  changeRequest,
  changeResponse,
  type Fields,
  isFor,
  wrapService,
} from '../defects/helpers/wire.ts'

const withoutUnusedRecipient = ({ partnerFeeBps, partnerFeeRecipient }: Fields): Fields =>
  Number(partnerFeeBps ?? 0) === 0 && partnerFeeRecipient !== undefined
    ? { partnerFeeRecipient: undefined }
    : {}

/** Other ways to quote, and to refuse to. */
export const quoteVariants: readonly Variant[] = [
  variant(
    'quote-refusals-null-route',
    'a quote that breaks a rule is 200 with route null',
    ['quote.errors', 'quote.slippage.range', 'quote.partner-fee.range', 'quote.amount.positive'],
    changeResponse('quote', 400, () => answerOf(200, NO_ROUTE, { 'cache-control': 'private, no-store' })),
  ),
  variant(
    'refusals-without-body',
    'refusals of quote and confirm have no body, and everything else is declared as text',
    ['service.content-type', 'service.json-bodies', 'quote.errors', 'confirm.error-body'],
    wrapService((inject) => async (request) => {
      const answer = await inject(request)
      const isBare = answer.statusCode >= 400 && !isFor('build', request)
      const headers = { ...answer.headers, 'content-type': 'text/plain; charset=utf-8' }
      return isBare ? { ...answer, headers, body: '' } : { ...answer, headers }
    }),
  ),
  variant(
    'recipient-unread-without-fee',
    'without a fee, partnerFeeRecipient may be anything',
    ['partner-fee-recipient.without-fee', 'quote.partner-fee-recipient.address', 'fees.recipient.null'],
    around(changeRequest('quote', withoutUnusedRecipient), changeRequest('build', withoutUnusedRecipient)),
  ),
]
