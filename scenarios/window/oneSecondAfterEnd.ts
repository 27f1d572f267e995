import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, REFUSED, report } from '../common.ts'

export const oneSecondAfterEnd: Scenario = {
  id: 'window.one-second-after-end',
  story:
    'The swap was sent in time, waited in the pool, and executed one second after its window ended. While it waits and while it is shallow the report is pending; then it is refused for good.',
  requirements: ['confirm.rejected.outside-window', 'confirm.window.executes-within', 'confirm.pending'],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    report('swap', 'tx', PENDING),
    { op: 'mine-at-deadline', build: 'swap', offsetS: 1 },
    { op: 'look', tx: 'tx', state: 'succeeded' },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 12 },
    report('swap', 'tx', REFUSED),
  ],
}
