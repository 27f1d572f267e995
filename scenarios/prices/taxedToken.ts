import type { Scenario } from '../../src/runner/scenario.ts'
import type { StepInput } from '../../src/simulation/steps.ts'

const quote = (from: string, to: string, amount: number, body: Record<string, number | null>): StepInput => ({
  op: 'quote',
  key: 'one',
  query: { from, to, amount },
  expect: { status: 200, body },
})

/**
 * By hand, of 1,000 WETH and 2,500,000 TAXED in the pool, 0.3 % for its owners and 1 % of every transfer burnt: 990 TAXED
 * arrive and bring 0.394656185002286877 WETH; 1 WETH brings 2490.017452599758041232 TAXED, of which
 * 2465.11727807376046082 arrive. JSON has the doubles below.
 */
const SOLD_WETH = 0.39465618500228683
const BOUGHT_TAXED = 2465.11727807376

export const taxedToken: Scenario = {
  id: 'prices.taxed-token',
  story:
    'TAXED burns a hundredth of every transfer: what is quoted is what arrives, whichever side it is on, and the build says the same. FALSY says of every transfer that it failed: what would arrive nobody can know, and it has no price.',
  requirements: ['amounts.fee-on-transfer', 'route.amount-out'],
  steps: [
    quote('TAXED', 'WETH', 1_000, { 'route.amountOut': SOLD_WETH }),
    quote('WETH', 'TAXED', 1, { 'route.amountOut': BOUGHT_TAXED }),
    {
      op: 'build',
      as: 'sold',
      key: 'one',
      sender: 'alice',
      body: { from: 'TAXED', to: 'WETH', amount: 1_000 },
      expect: { status: 200, body: { 'route.amountOut': SOLD_WETH } },
    },
    quote('FALSY', 'WETH', 1_000, { route: null }),
    quote('WETH', 'FALSY', 1, { route: null }),
  ],
}
