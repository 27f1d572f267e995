import type { Scenario } from '../../src/harness/scenario.ts'
import { build } from '../common.ts'

/** Alice starts with 10,000. */
const MORE_THAN_ALICE_HAS = { from: 'ETH', to: 'USDG', amount: 10_001 } as const

export const pennilessSender: Scenario = {
  id: 'execution.penniless-sender',
  story:
    'Alice asks for a transaction that sends more ETH than she has. Every venue would take the trade, and none of them could settle it for her: nothing can be built. What she can pay is built at once.',
  requirements: ['build.no-executable-route.no-venue', 'build.skips-reverting'],
  steps: [
    { op: 'quote', key: 'one', query: MORE_THAN_ALICE_HAS, expect: { status: 200 } },
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
