import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report, SENT_AND_DEEP } from '../common.ts'

export const headFallsBelowReceipt: Scenario = {
  id: 'reorg.head-falls-below-receipt',
  story:
    'Between two looks of one report the node falls back to before the swap: its block does not exist any more. A missing block is a changed block, never an error of the caller.',
  requirements: ['confirm.block-changed', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'meanwhile', trip: 0, when: 'after', steps: [{ op: 'rollback', depth: 13 }] },
    report('swap', 'tx', PENDING),
    { op: 'resend', tx: 'tx' },
    { op: 'mine', blocks: 13 },
    report('swap', 'tx', RECORDED),
  ],
}
