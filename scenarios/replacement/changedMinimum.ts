import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, REFUSED, report } from '../common.ts'

export const changedMinimum: Scenario = {
  id: 'replacement.changed-minimum',
  story:
    'The replacement asks for a minimum one base unit lower, the smallest change that calldata can have. Matching is exact: it is refused, and the build can still be claimed.',
  requirements: [
    'confirm.replacement.different',
    'confirm.rejected.mismatched',
    'confirm.match.calldata',
    'confirm.recorded',
  ],
  steps: [
    build('swap', { from: 'ETH', to: 'USDG', amount: 0.01, preferEngine: 'venue_a' }),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'replace', tx: 'tx', as: 'changed', change: 'minimum' },
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
