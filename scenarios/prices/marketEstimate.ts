import type { Scenario } from '../../src/runner/scenario.ts'

export const marketEstimate: Scenario = {
  id: 'prices.market-estimate',
  story:
    'GOLD is traded nowhere, and the chain has its price: 4,000 dollars. What is asked of it is estimated by the marks of both sides, whichever is sold, and cannot be built.',
  requirements: ['quote.market.not-executable', 'build.market.refused'],
  steps: [
    {
      op: 'quote',
      key: 'one',
      query: { from: 'GOLD', to: 'USDG', amount: 2 },
      expect: {
        status: 200,
        body: { 'route.engine': 'market', 'route.executable': false, 'route.amountOut': 8_000 },
      },
    },
    {
      op: 'quote',
      key: 'one',
      query: { from: 'ETH', to: 'GOLD', amount: 3.2 },
      expect: { status: 200, body: { 'route.engine': 'market', 'route.amountOut': 2 } },
    },
    {
      op: 'build',
      as: 'none',
      key: 'one',
      sender: 'alice',
      body: { from: 'ETH', to: 'GOLD', amount: 3.2 },
      expect: { status: 422, body: { error: 'no executable route' } },
    },
  ],
}
