import { bodyOf } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Route } from '../../src/spec/wire.ts'
import type { Query } from '../../src/targets/client.ts'
import type { Environment } from '../../src/targets/environment.ts'
import { insist, sightOf } from '../support/expect.ts'
import { EVERYWHERE } from '../support/swaps.ts'
import { outsideToken } from '../support/tokens.ts'

/** Two requests that say the same in other words, and so get the same numbers. */
const SAME: readonly {
  name: string
  requirements: readonly [RequirementId, ...RequirementId[]]
  one: (environment: Environment) => Query
  other: (environment: Environment) => Query
}[] = [
  {
    name: 'alias',
    requirements: ['quote.prefer-engine.alias', 'quote.prefer-engine.only'],
    one: () => ({ ...EVERYWHERE, preferEngine: 'venue_c' }),
    other: () => ({ ...EVERYWHERE, engine: 'venue_c' }),
  },
  {
    name: 'native',
    requirements: ['quote.from-address.native'],
    one: () => ({ from: 'ETH', to: 'USDG', amount: 1 }),
    other: () => ({ from: 'COIN', fromAddress: 'native', fromDecimals: 18, to: 'USDG', amount: 1 }),
  },
  {
    name: 'shortest-and-longest-symbol',
    requirements: ['quote.from.pattern', 'limits.symbol'],
    one: (environment) => ({ amount: 9, to: 'WETH', ...outside(environment), from: 'x' }),
    other: (environment) => ({
      amount: 9,
      to: 'WETH',
      ...outside(environment),
      from: 'a.b_C-9'.padEnd(24, 'Z'),
    }),
  },
  {
    name: 'slippage-default',
    requirements: ['quote.slippage.default'],
    one: () => ({ ...EVERYWHERE }),
    other: () => ({ ...EVERYWHERE, slippageBps: 50 }),
  },
  {
    name: 'partner-fee-default',
    requirements: ['quote.partner-fee.default'],
    one: () => ({ ...EVERYWHERE }),
    other: () => ({ ...EVERYWHERE, partnerFeeBps: 0 }),
  },
  {
    name: 'amount-with-exponent',
    requirements: ['quote.amount.required'],
    one: () => ({ ...EVERYWHERE, amount: '1500' }),
    other: () => ({ ...EVERYWHERE, amount: '1.5e3' }),
  },
]
const outside = (environment: Environment) => outsideToken(environment, 'from', 'EIGHTEEN') as Query

/** §4.1: aliases, defaults and spellings that must not matter. */
export const sameNumbersCases: readonly Case<'control'>[] = SAME.map(
  ({ name, requirements, one, other }) => ({
    id: `quote.same-numbers.${name}`,
    title: `two ways to say the same request give the same numbers: ${name}`,
    requirements,
    uses: ['control'],
    run: async (environment) => {
      const client = environment.client()
      const numbers = async (query: Query) => {
        const answer = await client.quote(query)
        const { route } = bodyOf(answer) as { route?: Route | null }
        insist(requirements[0], answer.status === 200 && !!route, '200 with a route', sightOf(answer))
        return JSON.stringify([
          route.engine,
          route.amountIn,
          route.amountOut,
          route.minimumReceived,
          route.alternatives,
        ])
      }
      const [first, second] = [await numbers(one(environment)), await numbers(other(environment))]
      insist(requirements[0], first === second, first, second)
      return { exercised: 2 }
    },
  }),
)
