import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, REFUSED, report, SELL_ETH } from '../common.ts'

export const endsBetweenSeconds: Scenario = {
  id: 'window.ends-between-seconds',
  story:
    'The build was made half a second after a full one, so its window ends between two seconds that blocks can have. The block before that moment is inside, the block after it is outside: nothing is rounded.',
  requirements: ['confirm.window.executes-within', 'confirm.rejected.outside-window', 'confirm.recorded'],
  steps: [
    { op: 'wait', seconds: 0.5 },
    build('swap', { ...SELL_ETH, amount: 0.01 }),
    build('late', { ...SELL_ETH, amount: 0.02 }),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine-at-deadline', build: 'swap', offsetS: 0 },
    { op: 'send', build: 'late', as: 'late-tx' },
    { op: 'mine-at-deadline', build: 'late', offsetS: 1 },
    { op: 'mine', blocks: 12 },
    report('swap', 'tx', RECORDED),
    report('late', 'late-tx', REFUSED),
  ],
}
