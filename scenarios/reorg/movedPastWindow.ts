import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, REFUSED, report } from '../common.ts'

export const movedPastWindow: Scenario = {
  id: 'reorg.moved-past-window',
  story:
    'The swap executed one second before its window ended, and then a reorganisation moved it to a block one second after. Only the block that survives counts: the swap is outside its window, for good once it is deep.',
  requirements: ['confirm.rejected.outside-window', 'confirm.window.executes-within'],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine-at-deadline', build: 'swap', offsetS: -1 },
    { op: 'look', tx: 'tx', state: 'succeeded' },
    report('swap', 'tx', PENDING),
    { op: 'reorg', depth: 1 },
    { op: 'resend', tx: 'tx' },
    { op: 'mine-at-deadline', build: 'swap', offsetS: 1 },
    { op: 'look', tx: 'tx', state: 'succeeded' },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 12 },
    report('swap', 'tx', REFUSED),
    report('swap', 'tx', REFUSED),
  ],
}
