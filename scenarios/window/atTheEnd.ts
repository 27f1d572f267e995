import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report } from '../common.ts'

export const atTheEnd: Scenario = {
  id: 'window.at-the-end',
  story: 'The swap executes in the very second that `validUntil` names. The reference counts the end in.',
  requirements: ['confirm.window.executes-within', 'confirm.pending'],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    report('swap', 'tx', PENDING),
    { op: 'mine-at-deadline', build: 'swap', offsetS: 0 },
    { op: 'look', tx: 'tx', state: 'succeeded' },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 12 },
    report('swap', 'tx', RECORDED),
  ],
}
