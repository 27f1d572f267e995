import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, report } from '../common.ts'

export const stillPendingAtEnd: Scenario = {
  id: 'window.still-pending-at-end',
  story:
    'The swap still waits in the pool when its window ends. Nobody can say yet that it will not be mined, so the report is pending and no more.',
  requirements: ['confirm.pending', 'confirm.retry-after'],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'wait', seconds: 1_300 },
    report('swap', 'tx', PENDING),
    { op: 'look', tx: 'tx', state: 'pending' },
  ],
}
