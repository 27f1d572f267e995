import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, REFUSED, report } from '../common.ts'

export const changedTarget: Scenario = {
  id: 'replacement.changed-target',
  story:
    'The replacement carries the same calldata and value to another account, and succeeds there because nothing is executed. It is not the swap; the right one, sent later, is.',
  requirements: [
    'confirm.replacement.different',
    'confirm.rejected.mismatched',
    'confirm.match.target',
    'confirm.recorded',
  ],
  steps: [
    build('swap', { from: 'ETH', to: 'USDG', amount: 0.01, preferEngine: 'venue_a' }),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'replace', tx: 'tx', as: 'changed', change: 'target' },
    { op: 'mine', blocks: 1 },
    { op: 'look', tx: 'changed', state: 'succeeded' },
    report('swap', 'changed', PENDING),
    { op: 'mine', blocks: 12 },
    report('swap', 'changed', REFUSED, { exercises: ['confirm.replacement.different'] }),
    report('swap', 'tx', PENDING),
    { op: 'send', build: 'swap', as: 'right' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'right', state: 'succeeded' },
    report('swap', 'right', RECORDED, { exercises: ['confirm.match.nonce-free'] }),
  ],
}
