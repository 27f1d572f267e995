import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, REFUSED, report } from '../common.ts'

export const changedFeeRecipient: Scenario = {
  id: 'replacement.changed-fee-recipient',
  story:
    "The replacement sends the partner's fee to somebody else and leaves the rest alone. A partner is not credited for a swap that paid another; the right swap, sent later, is credited.",
  requirements: [
    'confirm.replacement.different',
    'confirm.rejected.mismatched',
    'confirm.match.calldata',
    'confirm.recorded',
  ],
  steps: [
    build('swap', {
      from: 'ETH',
      to: 'USDG',
      amount: 0.01,
      preferEngine: 'venue_a',
      partnerFeeBps: 50,
      partnerFeeRecipient: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    }),
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
