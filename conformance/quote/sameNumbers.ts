import type { Case } from '../../src/runner/cases/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Answer, Query } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { assert, noteChoice, priceOf, responseText, routeIn } from '../support/expect.ts'
import { EVERYWHERE } from '../support/swaps.ts'
import { outsideToken } from '../support/tokens.ts'

const outside = (environment: Environment): Query => ({
  amount: 9,
  to: 'WETH',
  ...(outsideToken(environment, 'from', 'EIGHTEEN') as Query),
})
type Asking = Query | ((environment: Environment) => Query)
type Row = readonly [
  requirements: readonly [RequirementId, ...RequirementId[]],
  one: Asking,
  other: Asking,
  /** The open point that lets a service refuse the other request. */
  open?: 'quote.amount.exponent',
]

/** Pairs of equivalent requests, which must get the same numbers. */
const SAME: Readonly<Record<string, Row>> = {
  alias: [
    ['quote.prefer-engine.alias', 'quote.prefer-engine.only'],
    { ...EVERYWHERE, preferEngine: 'venue_c' },
    { ...EVERYWHERE, engine: 'venue_c' },
  ],
  native: [
    ['quote.from-address.native'],
    { from: 'ETH', to: 'USDG', amount: 1 },
    { from: 'COIN', fromAddress: 'native', fromDecimals: 18, to: 'USDG', amount: 1 },
  ],
  'shortest-and-longest-symbol': [
    ['quote.from.pattern', 'limits.symbol'],
    (environment) => ({ ...outside(environment), from: 'x' }),
    (environment) => ({ ...outside(environment), from: 'a.b_C-9'.padEnd(24, 'Z') }),
  ],
  'slippage-default': [['quote.slippage.default'], EVERYWHERE, { ...EVERYWHERE, slippageBps: 50 }],
  'partner-fee-default': [['quote.partner-fee.default'], EVERYWHERE, { ...EVERYWHERE, partnerFeeBps: 0 }],
  'amount-with-exponent': [
    ['route.amount-in'],
    { ...EVERYWHERE, amount: '1500' },
    { ...EVERYWHERE, amount: '1.5e3' },
    'quote.amount.exponent',
  ],
}

/** §4.1: aliases, defaults and spellings that must not matter. */
export const sameNumbersCases: readonly Case<'control'>[] = Object.entries(SAME).map(
  ([name, [requirements, one, other, open]]) => ({
    id: `quote.same-numbers.${name}`,
    title: `two requests with the same meaning get the same numbers: ${name}`,
    requirements: open === undefined ? requirements : [...requirements, open],
    uses: ['control'],
    run: async (environment) => {
      const client = environment.client()
      const responseTo = (asking: Asking) =>
        client.quote(typeof asking === 'function' ? asking(environment) : asking)
      const numbersOf = (answer: Answer) => {
        const route = routeIn(answer)
        assert(requirements[0], answer.status === 200 && !!route, '200 with a route', responseText(answer))
        return JSON.stringify([
          route.engine,
          route.amountIn,
          route.amountOut,
          route.minimumReceived,
          route.alternatives,
        ])
      }
      const first = numbersOf(await responseTo(one))
      const answer = await responseTo(other)
      if (open !== undefined) {
        const isServed = priceOf(answer) === 'priced'
        noteChoice(open, priceOf(answer), answer, isServed ? 'served' : `not served, with ${answer.status}`)
        if (!isServed) return { exercised: 0, notApplicable: `${name}: ${priceOf(answer)}` }
      }
      const second = numbersOf(answer)
      assert(requirements[0], first === second, first, second)
      return { exercised: 2 }
    },
  }),
)
