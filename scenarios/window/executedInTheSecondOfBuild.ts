import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SELL_ETH_TO_MAKER, TAKEN } from '../common.ts'

export const executedInTheSecondOfBuild: Scenario = {
  id: 'window.executed-in-the-second-of-build',
  story:
    'Blocks count whole seconds: a swap mined in the second in which its build was made is not before the build. Here the build comes half a second after its block.',
  requirements: ['confirm.recorded', 'confirm.records'],
  steps: [
    build('swap', SELL_ETH_TO_MAKER),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 1 },
    { op: 'wait', seconds: 0.5 },
    build('later', SELL_ETH_TO_MAKER),
    { op: 'mine', blocks: 12 },
    report('later', 'tx', RECORDED),
    report('swap', 'tx', TAKEN),
  ],
}
