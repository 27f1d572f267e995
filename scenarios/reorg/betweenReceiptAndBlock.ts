import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report, SENT_AND_DEEP } from '../common.ts'

export const betweenReceiptAndBlock: Scenario = {
  id: 'reorg.between-receipt-and-block',
  story:
    'The service has read the receipt of a swap 13 blocks deep; before it asks for the block, the chain is reorganised and the swap is gone. The receipt no longer proves anything, and nothing may be recorded.',
  requirements: ['confirm.block-changed', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'meanwhile', trip: 0, when: 'after', steps: [{ op: 'reorg', depth: 13 }] },
    report('swap', 'tx', PENDING),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 0 } } },
    { op: 'resend', tx: 'tx' },
    { op: 'mine', blocks: 13 },
    report('swap', 'tx', RECORDED),
  ],
}
