import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import type { Scenario } from '../../src/runner/scenario.ts'
import { SELL_ETH } from '../common.ts'

export const nodeAwayWithinQuote: Scenario = {
  id: 'failures.node-away-within-quote',
  story:
    'The node prices a trade of ETH, and is away when the winner is to be tried for the sender. The venues have answered, and none of them is known to revert: the quote has its route, and no pair without a price is made of it.',
  requirements: ['quote.best-route', 'quote.sender.pre-simulation'],
  steps: [
    { op: 'line-fault', kind: 'down', skip: 1, trips: 1_000 },
    {
      op: 'quote',
      key: 'one',
      query: { ...SELL_ETH, preferEngine: 'venue_f', sender: ACCOUNTS.alice.address },
      expect: { status: 200, body: { 'route.engine': 'venue_f', 'route.executable': true } },
    },
    { op: 'heal' },
  ],
}
