import type { Defect } from '../../conformance/defects/defect.ts'
import { knowing } from '../../conformance/defects/making/ports.ts'
import { ruling } from '../../conformance/defects/making/rules.ts'
import { inFront, isFor, type Json, jsonOf, showing } from '../../conformance/defects/making/wire.ts'
import { ChainUnavailableError, type ServiceSeams } from '../../src/service/testing.ts'

/** Another route on quotes that have one; the request's fields are beside it. */
function quoting(change: (route: Json, fields: Record<string, unknown>) => void): ServiceSeams {
  return showing('quote', (body, fields) => {
    if (body.route !== null) change(body.route, fields)
    return body
  })
}

/** Every output of a route times a factor. */
function scale(route: Json, factor: number): void {
  route.amountOut *= factor
  route.minimumReceived *= factor
  for (const entry of route.alternatives) {
    entry.amountOut *= factor
    entry.netAmountOut *= factor
    entry.gasCostOut *= factor
  }
}

/** Mistakes in pricing that only a second quote shows. */
export const quotingDefects: readonly Defect[] = [
  {
    id: 'property.fee-added-to-the-output',
    title: 'The partner fee is added to the output of a quote where it should be taken off.',
    breaks: 'amounts.net-of-fee',
    seams: quoting((route) => scale(route, 1 + (2 * route.protocolFeeBps) / 10_000)),
  },
  {
    id: 'property.free-quotes-are-cautious',
    title: 'Quotes without a partner fee show a hundredth less than the venues pay.',
    breaks: 'route.amount-out',
    seams: quoting((route) => route.protocolFeeBps === 0 && scale(route, 0.99)),
  },
  {
    id: 'property.bonus-for-size',
    title: 'Greater amounts are shown with a better price, as of a pool without slippage.',
    breaks: 'route.amount-out',
    seams: quoting((route) => scale(route, 1 + Math.min(1, route.amountIn / 10))),
  },
  {
    id: 'property.flat-cost-of-a-thousandth',
    title: 'A flat cost of a thousandth of a token is taken off every output.',
    breaks: 'alternatives.amount-out',
    seams: quoting((route) => {
      for (const entry of route.alternatives) entry.amountOut = Math.max(0, entry.amountOut - 0.001)
    }),
  },
  {
    id: 'property.slippage-taken-off-the-output',
    title: 'The slippage is taken off amountOut as well as off minimumReceived.',
    breaks: 'route.amount-out',
    seams: quoting((route) => scale(route, 1 - route.slippageBps / 10_000)),
  },
  {
    id: 'property.slippage-counts-as-impact',
    title: 'The slippage is added to the price impact.',
    breaks: 'route.price-impact.against-mark',
    seams: quoting((route) => {
      route.priceImpactBps += route.slippageBps
    }),
  },
  {
    id: 'property.minimum-at-the-default-slippage',
    title: 'minimumReceived is that of the default slippage, whatever was asked.',
    breaks: 'route.minimum-received.floor',
    seams: quoting((route) => {
      route.minimumReceived = route.amountOut * 0.995
    }),
  },
  {
    id: 'property.delta-in-percent',
    title: 'deltaBps is in percent.',
    breaks: 'alternatives.delta',
    seams: quoting((route) => {
      for (const entry of route.alternatives) entry.deltaBps /= 100
    }),
  },
  {
    id: 'property.listed-as-configured',
    title: 'The alternatives stand in the order of the configuration, the first of them as winner.',
    breaks: 'quote.ranking.after-gas',
    seams: ruling((domain, deps) => ({
      quoter: {
        quote: async (request, caller) => {
          const answer = structuredClone(await domain.quoter.quote(request, caller)) as Json
          const places = deps.manifest.venues.map(({ id }) => id as string)
          answer.route?.alternatives.sort(
            (one: Json, other: Json) => places.indexOf(one.engine) - places.indexOf(other.engine),
          )
          return answer
        },
      },
    })),
  },
  {
    id: 'property.first-three-answers-count',
    title: 'Of venues that are asked one by one, those that answer after the third are not waited for.',
    breaks: 'alternatives.complete',
    seams: {
      deps: (deps) => {
        let alone = 0
        return {
          ...deps,
          chain: {
            send: async (calls, options) => {
              if (alone > 0) {
                const replies = await deps.chain.send(calls, options)
                alone -= 1
                if (alone < 3) throw new ChainUnavailableError('answered too late')
                return replies
              }
              return deps.chain.send(calls, options).catch((error: unknown) => {
                alone = 6
                throw error
              })
            },
          },
        }
      },
    },
  },
  {
    id: 'property.wrapping-is-charged',
    title: 'ETH is shown with an output a hundredth of a percent lower, for the wrapping.',
    breaks: 'route.amount-out',
    seams: quoting((route, { from }) => from === 'ETH' && scale(route, 0.9999)),
  },
  {
    id: 'property.weth-unknown-to-the-singleton',
    title: 'venue_e is not listed for WETH, as its pools are of the native coin.',
    breaks: 'alternatives.complete',
    seams: quoting((route, { from, to }) => {
      if (from !== 'WETH' && to !== 'WETH') return
      route.alternatives = route.alternatives.filter((entry: Json) => entry.engine !== 'venue_e')
    }),
  },
  {
    id: 'property.strange-symbols-cost-a-point',
    title: 'Symbols that the registry does not know are quoted a basis point lower.',
    breaks: 'quote.unknown-token.priced',
    seams: quoting((route, { from, to }) => /alias/i.test(`${from}${to}`) && scale(route, 0.9999)),
  },
  {
    id: 'property.address-beside-symbol-drops-a-venue',
    title: 'A request that names an address is quoted without the last venue.',
    breaks: 'alternatives.complete',
    seams: quoting((route, { fromAddress }) => {
      if (fromAddress !== undefined && route.alternatives.length > 1) route.alternatives.pop()
    }),
  },
  {
    id: 'property.decimals-up-to-eighteen',
    title: 'Outputs of tokens with more than 18 decimals are shown as if they had 18.',
    breaks: 'amounts.human-units',
    seams: quoting((route, { toDecimals }) => {
      if (Number(toDecimals) > 18) scale(route, 10 ** (Number(toDecimals) - 18))
    }),
  },
  {
    id: 'property.small-scales-lose-gas',
    title: 'Where the output has fewer than six decimals, gas is not expressed in it.',
    breaks: 'alternatives.gas-cost',
    seams: quoting((route, { toDecimals }) => {
      if (toDecimals === undefined || Number(toDecimals) >= 6) return
      for (const entry of route.alternatives) {
        entry.netAmountOut = entry.amountOut
        entry.gasCostOut = 0
      }
    }),
  },
  {
    id: 'property.marks-price-the-gas',
    title: 'Gas is priced by the marks of the caller, whatever the chain says.',
    breaks: 'alternatives.gas-cost',
    seams: quoting((route, { fromPriceUsd }) => {
      if (fromPriceUsd === undefined) return
      for (const entry of route.alternatives) entry.gasCostOut *= 2
    }),
  },
  {
    id: 'property.recipient-gets-a-better-price',
    title: 'One recipient of fees is quoted a better price than another.',
    breaks: 'route.amount-out',
    seams: quoting((route, { partnerFeeRecipient }) => {
      const digit = Number.parseInt(String(partnerFeeRecipient ?? '0').slice(-1), 16)
      scale(route, 1 + digit / 1e6)
    }),
  },
  {
    id: 'property.answers-wander-with-time',
    title: 'The output shown depends on the second in which it is asked.',
    breaks: 'route.amount-out',
    seams: ruling((domain, deps) => ({
      quoter: {
        quote: async (request, caller) => {
          const answer = structuredClone(await domain.quoter.quote(request, caller)) as Json
          if (answer.route) scale(answer.route, 1 + (Math.floor(deps.clock.nowMs() / 1000) % 7) / 1e6)
          return answer
        },
      },
    })),
  },
  {
    id: 'property.memo-shared-by-keys',
    title: 'The memo of quotes is shared by all keys.',
    breaks: 'quote.memo.only-identical',
    seams: ruling((domain) => {
      const first = new Map<string, ReturnType<typeof domain.quoter.quote>>()
      return {
        quoter: {
          quote: (request, caller) => {
            const key = JSON.stringify(request)
            const known = first.get(key)
            if (known !== undefined && caller.keyId !== 'key-one') return known
            const answer = domain.quoter.quote(request, caller)
            if (caller.keyId === 'key-one') first.set(key, answer)
            return answer
          },
        },
      }
    }),
  },
  {
    id: 'property.half-of-the-venues',
    title: 'Every second venue of the configuration is forgotten.',
    breaks: 'quote.venues.all-asked',
    seams: knowing((manifest) => ({
      ...manifest,
      venues: manifest.venues.map((venue, index) =>
        index % 2 === 1 && 'pairs' in venue ? { ...venue, address: manifest.multicall3 } : venue,
      ) as typeof manifest.venues,
    })),
  },
  {
    id: 'property.odd-requests-crash',
    title: 'A field that is named as a method of every object brings the service down: 500.',
    breaks: 'build.bad-request.json',
    seams: inFront((inject) => async (request) => {
      const answer = await inject(request)
      const odd = /constructor|__proto__/.test(`${request.url}${String(request.payload ?? '')}`)
      return odd ? { ...answer, statusCode: 500, body: JSON.stringify({ error: 'internal error' }) } : answer
    }),
  },
  {
    id: 'property.errors-with-stack',
    title: 'Errors carry the stack beside the message.',
    breaks: 'build.bad-request.body',
    seams: inFront((inject) => async (request) => {
      const answer = await inject(request)
      if (answer.statusCode < 400) return answer
      return { ...answer, body: JSON.stringify({ ...jsonOf(answer), stack: 'at build.ts' }) }
    }),
  },
  {
    id: 'property.empty-errors',
    title: 'The error of a refused quote is empty.',
    breaks: 'quote.errors',
    seams: inFront((inject) => async (request) => {
      const answer = await inject(request)
      return isFor('quote', request) && answer.statusCode === 400
        ? { ...answer, body: JSON.stringify({ error: '' }) }
        : answer
    }),
  },
]
