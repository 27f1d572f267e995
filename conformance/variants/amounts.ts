import { zeroAddress } from 'viem'
import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { type Variant, variant } from '../../src/runner/proof/variant.ts'
import { netRaw, rank } from '../../src/service/testing.ts'
import { changePolicy } from '../defects/helpers/ports.ts'
import { changePrices, changePricing, changeRanking, changeSettling } from '../defects/helpers/rules.ts'
import { NO_ROUTE } from '../defects/helpers/values.ts'
import {
  answerOf,
  changeBody,
  changeRoute,
  type Fields,
  fieldsOf,
  isFor,
  type Json,
  refuse,
  wrapService,
} from '../defects/helpers/wire.ts'

const AMOUNTS = ['amountOut', 'minimumReceived', 'midRate', 'netAmountOut', 'gasCostOut', 'networkFeeEth']
/** Fifteen significant digits, which any double can hold. */
const rounded = (value: number) => Number(value.toPrecision(15))
/** Truncates after six significant digits. */
const cut = (value: number) => {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 5)
  return value > 0 ? Number((Math.floor(value / unit + 1e-9) * unit).toPrecision(6)) : value
}
/** Returns true if an amount has more decimals than its token. */
const hasSurplus = ({ amount, from }: Fields) => {
  const decimals = from === 'USDG' || from === 'SIX' ? 6 : from === 'ZERO' ? 0 : from === 'WBTC' ? 8 : 36
  const [, fraction = ''] = String(amount).split('.')
  return /^\d+\.\d+$/.test(String(amount)) && fraction.length > decimals
}

/** Other ways to write, round and order the same amounts. */
export const amountVariants: readonly Variant[] = [
  variant(
    'fifteen-digits',
    'amounts have 15 significant digits',
    ['amounts.human-units', 'route.amount-out', 'alternatives.gas-cost', 'route.mid-rate'],
    changeRoute((route) => {
      for (const entry of [route, ...route.alternatives])
        for (const field of AMOUNTS) if (entry[field] !== undefined) entry[field] = rounded(entry[field])
    }),
  ),
  variant(
    'six-digits',
    'amounts have six significant digits; a minimum is cut, so that it is kept',
    ['amounts.human-units', 'route.amount-out', 'alternatives.gas-cost', 'route.minimum-received.floor'],
    changeRoute((route) => {
      for (const entry of [route, ...route.alternatives])
        for (const field of [...AMOUNTS, 'amountIn'])
          if (entry[field] !== undefined)
            entry[field] =
              field === 'minimumReceived' ? cut(entry[field]) : Number(entry[field].toPrecision(6))
    }),
  ),
  variant(
    'gas-of-six-digits',
    'gasCostOut has six significant digits',
    ['alternatives.gas-cost', 'alternatives.gas-cost.output-units'],
    changeRoute((route) => {
      for (const entry of route.alternatives) entry.gasCostOut = Number(entry.gasCostOut.toPrecision(6))
    }),
  ),
  variant(
    'impact-as-share-of-the-output',
    'priceImpactBps is a share of what the output is worth',
    ['route.price-impact.against-mark'],
    changeRoute(({ priceImpactBps }) => ({
      priceImpactBps: priceImpactBps / Math.max(1 - priceImpactBps / 10_000, 1e-9),
    })),
  ),
  variant(
    'gas-in-more-digits',
    'gas in units of the output, and the output after gas, have more digits than the token',
    ['alternatives.gas-cost', 'alternatives.net', 'quote.ranking.after-gas', 'alternatives.winner-first'],
    changeRoute((route) => {
      for (const entry of route.alternatives) {
        entry.gasCostOut *= 1 + 1e-9
        entry.netAmountOut = entry.amountOut - entry.gasCostOut
      }
    }),
  ),
  variant(
    'impact-against-older-marks',
    'priceImpactBps is measured against marks that were read a while before the pools',
    ['route.price-impact.against-mark'],
    changeRoute(({ priceImpactBps }) => ({ priceImpactBps: priceImpactBps && priceImpactBps + 10 })),
  ),
  variant(
    'net-not-below-nothing',
    'the output after gas is 0 where gas costs more than the output',
    ['alternatives.net', 'alternatives.gas-cost', 'quote.ranking.after-gas'],
    changeRoute((route) => {
      for (const entry of route.alternatives) entry.netAmountOut = Math.max(0, entry.netAmountOut)
    }),
  ),
  variant(
    'gas-at-the-callers-mark',
    "gas in units of the output is valued at the caller's mark, where there is one",
    ['alternatives.gas-cost.output-units', 'quote.price-marks.used', 'quote.ranking.after-gas'],
    changePrices((priced) => {
      const { feedOut, markOut, ranked } = priced
      if (feedOut === null || markOut === null) return priced
      const [feed, caller] = [feedOut.mark, markOut.mark]
      const revalued = ranked.map((candidate) => ({
        ...candidate,
        gasCostRaw:
          (candidate.gasCostRaw * feed.numerator * caller.denominator) /
            (feed.denominator * caller.numerator) +
          1n,
      }))
      return { ...priced, ranked: rank(revalued) }
    }),
  ),
  variant(
    'gas-without-a-price',
    'where the output has no price, gas costs nothing in it',
    ['alternatives.gas-cost.output-units', 'alternatives.complete', 'quote.no-price.null-route'],
    changePricing((price) => async (request, budget) => {
      const priced = await price(request, budget)
      if (request.toPriceUsd !== null || Object.keys(priced.refusals).length === 0) return priced
      const marked = await price({ ...request, toPriceUsd: 1 }, budget)
      const ranked = marked.ranked.map((candidate) => {
        const known = priced.ranked.find(({ venue }) => venue.id === candidate.venue.id)
        return known ?? { ...candidate, gasCostRaw: 0n }
      })
      return { ...priced, ranked: rank(ranked) }
    }),
  ),
  variant(
    'whole-bps',
    'deltaBps and priceImpactBps are rounded to whole numbers',
    ['alternatives.delta', 'route.price-impact.against-mark'],
    changeRoute((route) => {
      route.priceImpactBps = Math.round(route.priceImpactBps)
      for (const alternative of route.alternatives) alternative.deltaBps = Math.round(alternative.deltaBps)
    }),
  ),
  variant(
    'surplus-digits-refused',
    'an amount with more decimals than the token has is refused',
    ['amounts.surplus-digits', 'route.amount-in', 'quote.amount.required'],
    wrapService((inject) => async (request) => {
      const asks = isFor('quote', request) || isFor('build', request)
      return asks && hasSurplus(fieldsOf(request))
        ? answerOf(400, { error: 'amount: has more digits than the token' })
        : inject(request)
    }),
  ),
  variant(
    'exponent-refused',
    'an amount with an exponent in a query is refused',
    ['quote.amount.exponent', 'route.amount-in', 'quote.unknown-token.priced'],
    refuse('quote', ({ amount }) => /e/i.test(String(amount))),
  ),
  variant(
    'ties-last-venue-first',
    'venues that pay exactly the same are listed in reverse order',
    ['quote.ranking.after-gas', 'quote.best-route'],
    changeRanking((ranked) =>
      ranked.toSorted((a, b) => {
        const difference = netRaw(b) - netRaw(a)
        if (difference !== 0n) return difference > 0n ? 1 : -1
        return a.venue.id < b.venue.id ? 1 : -1
      }),
    ),
  ),
  variant(
    'fee-rounded-up',
    'a fee that is not a whole number of base units is rounded up',
    ['fee-transfer.amount-raw', 'build.fee-inside-tx'],
    changeSettling((order, { priced }, settle) => {
      const { partnerFeeBps } = priced.request
      const isWhole = (order.amountInRaw * BigInt(partnerFeeBps)) % 10_000n === 0n
      return settle(isWhole ? order : { ...order, feeRaw: order.feeRaw + 1n })
    }),
  ),
  variant(
    'transfer-of-nothing',
    'without a fee, feeTransfer has the amount 0 instead of being null',
    ['build.fee-transfer.only-with-fee', 'build.response.fee-transfer', 'fee-transfer.token'],
    changeBody('build', (body) => {
      if (body.feeTransfer === null && /^venue_[cd]$/.test(body.engine) && body.tx.value !== '0')
        body.feeTransfer = { token: 'native', to: ACCOUNTS.feeWallet.address, amountRaw: '0' }
    }),
  ),
  variant(
    'no-market-estimate',
    'a pair without a venue never has a market estimate',
    ['quote.market.when', 'quote.market.not-executable', 'quote.no-price.null-route'],
    changeBody('quote', (body: Json) =>
      body.route?.engine === 'market'
        ? { ...body, route: null, partnerFeeBps: 0, partnerFeeRecipient: null, totalFeeBps: 0 }
        : body,
    ),
  ),
  variant(
    'no-memo',
    'quotes are not memoized',
    ['quote.memo.previous-numbers', 'quote.memo.identity', 'quote.memo.ends'],
    changePolicy({ memoMs: 0 }),
  ),
  variant(
    'memo-of-two-seconds',
    'quotes are memoized for two seconds',
    ['quote.memo.previous-numbers', 'quote.memo.ends'],
    changePolicy({ memoMs: 2_000 }),
  ),
  variant(
    'marks-ignored',
    "the price impact ignores the caller's marks and uses the price feeds",
    ['quote.price-marks.used', 'quote.price-marks.accepted', 'route.price-impact.against-mark'],
    changePrices((priced) => ({ ...priced, markIn: priced.feedIn, markOut: priced.feedOut })),
  ),
  variant(
    'winner-simulated-with-the-purse',
    'the winner is dropped when the sender cannot pay the input',
    ['quote.sender.pre-simulation', 'quote.sender.accepted'],
    changeRanking((ranked, { request, tokenIn }) => {
      const lacksThem = request.sender === ACCOUNTS.unfunded.address && tokenIn.symbol === 'ETH'
      return lacksThem ? ranked.slice(1) : ranked
    }, 'quote'),
  ),
  variant(
    'no-route-without-the-purse',
    'a quote of ETH for a sender who has none has no route: every winner would revert',
    ['quote.sender.pre-simulation', 'quote.sender.accepted'],
    changeBody('quote', (body: Json, { sender }) =>
      sender === ACCOUNTS.unfunded.address && body.route?.hops[0].from === 'ETH' ? NO_ROUTE : body,
    ),
  ),
  variant(
    'transfer-on-another-venue',
    'venue_f requests a fee transfer too',
    ['build.fee-transfer.other-venues', 'build.fee-inside-tx', 'build.fee-transfer.sum'],
    changeSettling((order, { deps, engine }, settle) => {
      if (engine !== 'venue_f' || order.feeRaw === 0n) return settle(order)
      const { tokenIn, feeRaw } = order
      const rest = { ...order, amountInRaw: order.amountInRaw - feeRaw, feeRaw: 0n, feeRecipient: null }
      const token = tokenIn === zeroAddress ? 'native' : tokenIn
      return {
        ...settle(rest),
        feeTransfer: { token, to: deps.manifest.feeWallet, amountRaw: feeRaw.toString() },
      }
    }),
  ),
  variant(
    'fee-on-transfer-refused',
    'tokens with a fee on transfer have no route',
    ['amounts.fee-on-transfer', 'quote.unknown-token.priced'],
    changePrices((priced) => {
      const taxed = [priced.tokenIn, priced.tokenOut].some(({ symbol }) => symbol === 'TAXED')
      return taxed ? { ...priced, ranked: [], refusals: {} } : priced
    }),
  ),
]
