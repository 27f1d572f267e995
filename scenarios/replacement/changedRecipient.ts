import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, REFUSED, report } from '../common.ts'

export const changedRecipient: Scenario = {
  id: 'replacement.changed-recipient',
  story:
    "The user replaces the swap by one that pays somebody else; it succeeds on the chain. It is not the build's swap; the build stays open and is claimed by a right one later.",
  requirements: [
    'confirm.replacement.different',
    'confirm.rejected.mismatched',
    'confirm.match.calldata',
    'confirm.recorded',
  ],
  steps: [
    build('swap', { from: 'ETH', to: 'USDG', amount: 0.01, preferEngine: 'venue_c' }),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'replace', tx: 'tx', as: 'changed', change: 'recipient' },
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
