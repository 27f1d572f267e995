import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report } from '../common.ts'

export const dropped: Scenario = {
  id: 'replacement.dropped',
  story:
    'The pool forgets the swap, and nobody is told. The report stays pending; when the same bytes are sent again they are mined and credited.',
  requirements: ['confirm.not-found', 'confirm.recorded'],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    report('swap', 'tx', PENDING),
    { op: 'drop', tx: 'tx' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'tx', state: 'unknown' },
    report('swap', 'tx', PENDING),
    { op: 'resend', tx: 'tx' },
    { op: 'mine', blocks: 13 },
    report('swap', 'tx', RECORDED),
  ],
}
