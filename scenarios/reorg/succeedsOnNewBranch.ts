import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report, SELL_ETH } from '../common.ts'

export const succeedsOnNewBranch: Scenario = {
  id: 'reorg.succeeds-on-new-branch',
  story:
    'The swap reverted in a shallow block, and a reorganisation lets it execute well. A shallow revert is no verdict: the swap is credited.',
  requirements: ['confirm.recorded', 'confirm.block-changed'],
  steps: [
    build('swap', { ...SELL_ETH, preferEngine: 'venue_a' }),
    { op: 'fault', venue: 'venue_a', kind: 'revert-on-swap' },
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 11 },
    { op: 'look', tx: 'tx', state: 'reverted' },
    report('swap', 'tx', PENDING),
    { op: 'reorg', depth: 12 },
    { op: 'resend', tx: 'tx' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'tx', state: 'succeeded' },
    report('swap', 'tx', RECORDED),
  ],
}
