import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import type { Scenario } from '../../src/runner/scenario.ts'
import { build } from '../common.ts'

/** Alice starts with 10,000. */
const MORE_THAN_ALICE_HAS = { from: 'ETH', to: 'USDG', amount: 10_001 } as const

export const pennilessSender: Scenario = {
  id: 'execution.penniless-sender',
  story:
    'Alice asks for a transaction that sends more ETH than she has. A quote tells about venues and not about purses, and has its route; but no venue could settle the trade for her, and nothing can be built. What she can pay is built at once.',
  requirements: [
    'build.no-executable-route.no-venue',
    'build.skips-reverting',
    'quote.sender.pre-simulation',
  ],
  steps: [
    {
      op: 'quote',
      key: 'one',
      query: { ...MORE_THAN_ALICE_HAS, sender: ACCOUNTS.alice.address },
      expect: { status: 200, body: { 'route.executable': true } },
    },
    {
      op: 'build',
      as: 'none',
      key: 'one',
      sender: 'alice',
      body: MORE_THAN_ALICE_HAS,
      expect: { status: 422, body: { error: 'no executable route' } },
    },
    build('swap'),
  ],
}
