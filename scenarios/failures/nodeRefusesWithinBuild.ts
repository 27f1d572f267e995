import type { Scenario } from '../../src/harness/scenario.ts'
import { build, SELL_ETH } from '../common.ts'

export const nodeRefusesWithinBuild: Scenario = {
  id: 'failures.node-refuses-within-build',
  story:
    'The node prices the trade, and answers with an error when its settlement is to be simulated. That is no word about the sender or any venue: the build fails as an upstream failure. When the node has recovered, it works.',
  requirements: ['build.upstream-failure'],
  steps: [
    { op: 'line-fault', kind: 'refused', skip: 1, trips: 1_000 },
    {
      op: 'build',
      as: 'lost',
      key: 'one',
      sender: 'alice',
      body: SELL_ETH,
      expect: { status: 502, body: { error: 'build failed' } },
    },
    { op: 'heal' },
    build('swap'),
  ],
}
