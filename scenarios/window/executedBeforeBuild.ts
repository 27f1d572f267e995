import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, REFUSED, report, SELL_ETH_TO_MAKER } from '../common.ts'

export const executedBeforeBuild: Scenario = {
  id: 'window.executed-before-build',
  story:
    'Alice swapped, and a second later a build gives out the very same calldata. The earlier transaction matches it byte by byte, but it executed before the build was made: the reference refuses it for the new build and credits it to the old one.',
  requirements: ['confirm.recorded', 'confirm.records'],
  steps: [
    build('swap', SELL_ETH_TO_MAKER),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 1 },
    { op: 'wait', seconds: 1 },
    build('later', SELL_ETH_TO_MAKER),
    { op: 'mine', blocks: 12 },
    report('later', 'tx', REFUSED),
    report('swap', 'tx', RECORDED),
  ],
}
