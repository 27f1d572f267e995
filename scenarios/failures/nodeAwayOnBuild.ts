import type { Scenario } from '../../src/runner/scenario.ts'
import { build, LOST_BUILD, SELL_ETH } from '../common.ts'

export const nodeAwayOnBuild: Scenario = {
  id: 'failures.node-away-on-build',
  story:
    'The node is away for everything that a quote and a build may try. They fail as an upstream failure, never as a missing route; when the node is back, both work.',
  requirements: ['build.upstream-failure'],
  steps: [
    { op: 'line-fault', kind: 'down', trips: 1_000 },
    { op: 'quote', key: 'one', query: SELL_ETH, expect: { status: 502 } },
    LOST_BUILD,
    { op: 'heal' },
    { op: 'quote', key: 'one', query: SELL_ETH, expect: { status: 200 } },
    build('swap'),
  ],
}
