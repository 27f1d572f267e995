import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, REFUSED, report, SELL_ETH } from '../common.ts'

export const revertsOnNewBranch: Scenario = {
  id: 'reorg.reverts-on-new-branch',
  story:
    'On the old branch the swap succeeded; on the new one the price moves first, and the same transaction reverts. What the old branch showed is worth nothing.',
  requirements: ['confirm.rejected.reverted', 'confirm.block-changed'],
  steps: [
    build('swap', { ...SELL_ETH, preferEngine: 'venue_a' }),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 3 },
    { op: 'look', tx: 'tx', state: 'succeeded' },
    report('swap', 'tx', PENDING),
    { op: 'reorg', depth: 3 },
    { op: 'move-pool', venue: 'venue_a', from: 'ETH', to: 'USDG', against: 'seller', size: 'large' },
    { op: 'resend', tx: 'tx' },
    { op: 'mine', blocks: 1 },
    { op: 'look', tx: 'tx', state: 'reverted' },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 12 },
    report('swap', 'tx', REFUSED),
  ],
}
