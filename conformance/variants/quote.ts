import { isHex, numberToHex } from 'viem'
import { type Variant, variant } from '../../src/runner/proof/variant.ts'
import {
  around,
  type Chain,
  createQuoter,
  type RpcReply,
  type ServiceDeps,
} from '../../src/service/testing.ts'
import { changeReplies } from '../defects/helpers/ports.ts'
import { changeQuote } from '../defects/helpers/rules.ts'
import { NO_ROUTE } from '../defects/helpers/values.ts'
import {
  answerOf,
  changeAnswers,
  changeRequest,
  changeResponse,
  changeRoute,
  type Fields,
  isFor,
} from '../defects/helpers/wire.ts'
import { believingAnyPrice } from '../defects/simulations.ts'

const withoutUnusedRecipient = ({ partnerFeeBps, partnerFeeRecipient }: Fields): Fields =>
  Number(partnerFeeBps ?? 0) === 0 && partnerFeeRecipient !== undefined
    ? { partnerFeeRecipient: undefined }
    : {}

/** A node adds this tip to the base fee when it suggests a gas price. */
const TIP_WEI = 10n ** 9n

/** Caches chain reads for as long as the specification lets a quote be kept. */
const readsKept = (deps: ServiceDeps): ServiceDeps => {
  const kept = new Map<string, { readonly replies: Promise<readonly RpcReply[]>; readonly untilMs: number }>()
  const send: Chain['send'] = (calls, options) => {
    const key = JSON.stringify(calls)
    const known = kept.get(key)
    if (known !== undefined && deps.clock.nowMs() < known.untilMs) return known.replies
    const replies = deps.chain.send(calls, options)
    kept.set(key, { replies, untilMs: deps.clock.nowMs() + 1_500 })
    return replies
  }
  return { ...deps, chain: { ...deps.chain, send }, policy: { ...deps.policy, memoMs: 0 } }
}

/** Other ways to quote and to refuse a quote. */
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
    changeAnswers((answer, request) => {
      const isBare = answer.statusCode >= 400 && !isFor('build', request)
      const headers = { ...answer.headers, 'content-type': 'text/plain; charset=utf-8' }
      return isBare ? { ...answer, headers, body: '' } : { ...answer, headers }
    }),
  ),
  ...(
    [
      ['after-gas-of-itself', 'of its own output after gas', 'netAmountOut', 1],
      ['before-gas', "of the winner's output before gas", 'amountOut', 0],
      ['before-gas-of-itself', 'of its own output before gas', 'amountOut', 1],
    ] as const
  ).map(([id, title, figure, own]) =>
    variant(
      `delta-${id}`,
      `deltaBps is a share ${title}`,
      ['alternatives.delta', 'quote.best-route'],
      changeRoute((route) => {
        for (const entry of route.alternatives) {
          const [winner] = route.alternatives
          const whole = own === 1 ? entry[figure] : winner[figure]
          const bps = ((winner[figure] - entry[figure]) / whole) * 10_000
          if (whole > 0) entry.deltaBps = Math.max(0, bps)
        }
      }),
    ),
  ),
  variant(
    'gas-at-the-base-fee',
    'gas is priced at the base fee of the chain, without a tip',
    ['route.network-fee.estimate', 'route.network-fee.positive', 'alternatives.gas-cost'],
    changeReplies(
      () =>
        ({ method }, result) =>
          method === 'eth_gasPrice' && isHex(result) ? numberToHex(BigInt(result) - TIP_WEI) : result,
    ),
  ),
  variant(
    'network-fee-of-another-estimate',
    'networkFeeEth comes from a second gas estimate, 20 % above the one used for the ranking',
    ['alternatives.gas-cost.output-units', 'route.network-fee', 'route.network-fee.estimate'],
    changeRoute(({ networkFeeEth }) => ({ networkFeeEth: networkFeeEth * 1.2 })),
  ),
  variant(
    'pools-read-lately',
    'a quote is made anew each time, from pools that were read at most 1.5 s ago',
    ['quote.memo.previous-numbers', 'quote.memo.only-identical', 'quote.memo.ends'],
    changeQuote((_quote, deps) => createQuoter(readsKept(deps)).quote),
  ),
  variant(
    'absurd-prices-believed',
    'a venue that quotes more than there is of a token wins with it',
    ['alternatives.absurd', 'alternatives.complete', 'quote.prefer-engine.null-when-unpriced'],
    believingAnyPrice,
  ),
  variant(
    'recipient-unread-without-fee',
    'without a fee, partnerFeeRecipient may be anything',
    ['partner-fee-recipient.without-fee', 'quote.partner-fee-recipient.address', 'fees.recipient.null'],
    around(changeRequest('quote', withoutUnusedRecipient), changeRequest('build', withoutUnusedRecipient)),
  ),
]
