import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { ChainUnavailableError, type ServiceSeams } from '../../src/service/testing.ts'
import { changeManifest } from './helpers/ports.ts'
import { changeQuote } from './helpers/rules.ts'
import { changeRouteOf, type Json } from './helpers/wire.ts'

/** Multiplies every output of a route. */
function scale(route: Json, factor: number): void {
  route.amountOut *= factor
  route.minimumReceived *= factor
  for (const entry of route.alternatives) {
    entry.amountOut *= factor
    entry.netAmountOut *= factor
    entry.gasCostOut *= factor
  }
}

/** Changes the route of a quote after pricing, before it is memoized. */
const requoted = (change: (route: Json, nowMs: number, venues: readonly string[]) => void): ServiceSeams =>
  changeQuote((quote, { clock, manifest }) => async (request, caller) => {
    const answer = structuredClone(await quote(request, caller)) as Json
    const venues = manifest.venues.map(({ id }) => id as string)
    if (answer.route) change(answer.route, clock.nowMs(), venues)
    return answer
  })

/** Waits only for the first three venues when these are called one by one. */
const threeVenues: ServiceSeams = {
  deps: (deps) => {
    let left = 0
    const send: typeof deps.chain.send = async (calls, options) => {
      if (left === 0)
        return deps.chain.send(calls, options).catch((error: unknown) => {
          left = 6
          throw error
        })
      const replies = await deps.chain.send(calls, options)
      left -= 1
      if (left < 3) throw new ChainUnavailableError('the reply came too late')
      return replies
    }
    return { ...deps, chain: { send } }
  },
}

/** Mistakes in pricing that only a second quote shows. */
export const pricingDefects: readonly Defect[] = [
  ...defectTable(changeRouteOf('quote'), {
    'property.fee-added-to-the-output': [
      'amounts.net-of-fee',
      'the partner fee is added to the output of a quote instead of subtracted',
      (route) => scale(route, 1 + (2 * route.protocolFeeBps) / 10_000),
    ],
    'property.free-quotes-are-cautious': [
      'route.amount-out',
      'quotes without a partner fee show 1 % less than the venues pay',
      (route) => route.protocolFeeBps === 0 && scale(route, 0.99),
    ],
    'property.bonus-for-size': [
      'route.amount-out',
      'larger amounts are shown with a better price, up to twice the output',
      (route) => scale(route, 1 + Math.min(1, route.amountIn / 10)),
    ],
    'property.flat-cost-of-a-thousandth': [
      'alternatives.amount-out',
      'a flat cost of 0.001 is subtracted from amountOut of every alternative',
      (route) => {
        for (const entry of route.alternatives) entry.amountOut = Math.max(0, entry.amountOut - 0.001)
      },
    ],
    'property.slippage-taken-off-the-output': [
      'route.amount-out',
      'the slippage is subtracted from amountOut as well as from minimumReceived',
      (route) => scale(route, 1 - route.slippageBps / 10_000),
    ],
    'property.slippage-counts-as-impact': [
      'route.price-impact.to-one-bp',
      'the slippage is added to the price impact',
      ({ priceImpactBps, slippageBps }) => ({ priceImpactBps: priceImpactBps + slippageBps }),
    ],
    'property.minimum-at-the-default-slippage': [
      'route.minimum-received.floor',
      'minimumReceived is that of the default slippage, whatever was requested',
      ({ amountOut }) => ({ minimumReceived: amountOut * 0.995 }),
    ],
    'property.delta-in-percent': [
      'alternatives.delta',
      'deltaBps is given in percent',
      (route) => {
        for (const entry of route.alternatives) entry.deltaBps /= 100
      },
    ],
    'property.wrapping-is-charged': [
      'route.amount-out',
      'selling ETH shows 1 bps less than selling WETH',
      (route, _body, { from }) => from === 'ETH' && scale(route, 0.9999),
    ],
    'property.weth-unknown-to-the-singleton': [
      'alternatives.complete',
      'venue_e is not listed for WETH, because its pools hold native ETH',
      ({ alternatives }, _body, { from, to }) =>
        (from === 'WETH' || to === 'WETH') && {
          alternatives: alternatives.filter((entry: Json) => entry.engine !== 'venue_e'),
        },
    ],
    'property.strange-symbols-cost-a-point': [
      'quote.unknown-token.priced',
      'tokens under a symbol unknown to the registry are quoted 1 bps lower',
      (route, _body, { from, to }) => /alias/i.test(`${from}${to}`) && scale(route, 0.9999),
    ],
    'property.address-beside-symbol-drops-a-venue': [
      'alternatives.complete',
      'a quote with fromAddress does not list the last venue',
      ({ alternatives }, _body, { fromAddress }) =>
        fromAddress !== undefined && alternatives.length > 1 && { alternatives: alternatives.slice(0, -1) },
    ],
    'property.decimals-up-to-eighteen': [
      'amounts.human-units',
      'outputs in tokens of more than 18 decimals are shown as if they had 18',
      (route, _body, { toDecimals }) =>
        Number(toDecimals) > 18 && scale(route, 10 ** (Number(toDecimals) - 18)),
    ],
    'property.small-scales-lose-gas': [
      'alternatives.gas-cost',
      'the gas cost is 0 when the output token has fewer than six decimals',
      (route, _body, { toDecimals }) => {
        if (toDecimals === undefined || Number(toDecimals) >= 6) return
        for (const entry of route.alternatives)
          Object.assign(entry, { netAmountOut: entry.amountOut, gasCostOut: 0 })
      },
    ],
    'property.marks-price-the-gas': [
      'alternatives.gas-cost',
      'gas is priced by the marks of the caller instead of the price feeds',
      (route, _body, { fromPriceUsd }) => {
        if (fromPriceUsd !== undefined) for (const entry of route.alternatives) entry.gasCostOut *= 2
      },
    ],
    'property.recipient-gets-a-better-price': [
      'route.amount-out',
      'the price depends on the recipient of the partner fee',
      (route, _body, { partnerFeeRecipient }) =>
        scale(route, 1 + Number.parseInt(String(partnerFeeRecipient ?? '0').slice(-1), 16) / 1e6),
    ],
  }),
  ...defectTable(requoted, {
    'property.listed-as-configured': [
      'quote.ranking.after-gas',
      'the alternatives are listed in the order of the configuration',
      ({ alternatives }, _nowMs, venues) =>
        alternatives.sort(
          (one: Json, other: Json) => venues.indexOf(one.engine) - venues.indexOf(other.engine),
        ),
    ],
    'property.answers-wander-with-time': [
      'route.amount-out',
      'the output depends on the second in which the quote is made',
      (route, nowMs) => scale(route, 1 + (Math.floor(nowMs / 1_000) % 7) / 1e6),
    ],
  }),
  defect(
    'property.first-three-answers-count',
    'alternatives.complete',
    'when venues are called one by one, those after the third reply are not waited for',
    threeVenues,
  ),
  defect(
    'property.half-of-the-venues',
    'quote.venues.all-asked',
    'every second venue of the configuration is forgotten',
    changeManifest((manifest) => ({
      ...manifest,
      venues: manifest.venues.map((venue, index) =>
        index % 2 === 1 && 'pairs' in venue ? { ...venue, address: manifest.multicall3 } : venue,
      ) as typeof manifest.venues,
    })),
  ),
]
