import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, REFUSED, report } from '../common.ts'

export const changedValue: Scenario = {
  id: 'replacement.changed-value',
  story:
    'The replacement sends one wei more than the build says. It does not match, and the build can still be claimed by a right one.',
  requirements: [
    'confirm.replacement.different',
    'confirm.rejected.mismatched',
    'confirm.match.value',
    'confirm.recorded',
  ],
  steps: [
    build('swap', { from: 'ETH', to: 'USDG', amount: 0.01, preferEngine: 'venue_a' }),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'replace', tx: 'tx', as: 'changed', change: 'value' },
    { op: 'mine', blocks: 1 },
    { op: 'look', tx: 'changed', state: 'reverted' },
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
