import type { Scenario } from '../../src/runner/scenario.ts'
import { build, LOST_BUILD } from '../common.ts'

export const nodeRefusesWithinBuild: Scenario = {
  id: 'failures.node-refuses-within-build',
  story:
    'The node prices the trade, and answers with an error when its settlement is to be simulated. That is no word about the sender or any venue: the build fails as an upstream failure. When the node has recovered, it works.',
  requirements: ['build.upstream-failure'],
  steps: [
    { op: 'line-fault', kind: 'refused', skip: 1, trips: 1_000 },
    LOST_BUILD,
    { op: 'heal' },
    build('swap'),
  ],
}
