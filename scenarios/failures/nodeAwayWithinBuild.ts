import type { Scenario } from '../../src/runner/scenario.ts'
import { build, LOST_BUILD } from '../common.ts'

export const nodeAwayWithinBuild: Scenario = {
  id: 'failures.node-away-within-build',
  story:
    'The node prices the trade, and is away when its settlement is to be simulated. What could not be simulated is not handed out, and no missing route is made of it: the build fails as an upstream failure. When the node is back, it works.',
  requirements: ['build.upstream-failure'],
  steps: [
    { op: 'line-fault', kind: 'down', skip: 1, trips: 1_000 },
    LOST_BUILD,
    { op: 'heal' },
    build('swap'),
  ],
}
