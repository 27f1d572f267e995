import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, REFUSED, report, SELL_DOLLARS } from '../common.ts'

export const approvalReported: Scenario = {
  id: 'hashes.approval-reported',
  story:
    'The client reports the hash of the approval that came before the swap. It succeeded, from the right sender, and is not the swap; the swap itself is credited afterwards.',
  requirements: ['confirm.not-the-approval', 'confirm.rejected.mismatched', 'confirm.recorded'],
  steps: [
    build('swap', { ...SELL_DOLLARS, preferEngine: 'venue_a' }),
    { op: 'approve', build: 'swap' },
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'swap-approval', state: 'succeeded' },
    report('swap', 'swap-approval', REFUSED, { exercises: ['confirm.not-the-approval'] }),
    report('swap', 'tx', RECORDED),
  ],
}
