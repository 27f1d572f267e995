import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, REFUSED, report, SELL_DOLLARS } from '../common.ts'

export const permitReported: Scenario = {
  id: 'hashes.permit-reported',
  story:
    'Where the approval is a signed permit, two transactions come before the swap: the approval of Permit2 and the permit. Neither hash is the swap.',
  requirements: [
    'confirm.not-the-approval',
    'confirm.rejected.mismatched',
    'confirm.recorded',
    'build.approval.permit2',
  ],
  steps: [
    {
      ...build('swap', { ...SELL_DOLLARS, preferEngine: 'venue_b' }),
      expect: { status: 200, body: { 'tx.permit2': true } },
    },
    { op: 'approve', build: 'swap' },
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'swap-permit', state: 'succeeded' },
    report('swap', 'swap-approval', REFUSED, { exercises: ['confirm.not-the-approval'] }),
    report('swap', 'swap-permit', REFUSED, { exercises: ['confirm.not-the-approval'] }),
    { op: 'look', tx: 'tx', state: 'succeeded' },
    report('swap', 'tx', RECORDED),
  ],
}
