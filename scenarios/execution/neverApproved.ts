import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, REFUSED, report, SELL_DOLLARS, SENT_AND_DEEP } from '../common.ts'

export const neverApproved: Scenario = {
  id: 'execution.never-approved',
  story:
    'The user forgets the approval, and the swap reverts. After approving, the user sends the same swap again inside its window, and that one is credited.',
  requirements: ['build.approval.first', 'confirm.rejected.reverted', 'confirm.recorded'],
  steps: [
    build('swap', { ...SELL_DOLLARS, preferEngine: 'venue_a' }),
    { op: 'send', build: 'swap', as: 'failed' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'failed', state: 'reverted' },
    report('swap', 'failed', REFUSED),
    { op: 'approve', build: 'swap' },
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
