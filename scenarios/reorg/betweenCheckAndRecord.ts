import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report, SENT_AND_DEEP } from '../common.ts'

export const betweenCheckAndRecord: Scenario = {
  id: 'reorg.between-check-and-record',
  story:
    'Everything about the swap was found right, and just before the service looks a last time and writes its record, the block is reorganised away. The last look must see it: nothing is recorded.',
  requirements: ['confirm.block-changed', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'meanwhile', trip: 1, when: 'after', steps: [{ op: 'reorg', depth: 13 }] },
    report('swap', 'tx', PENDING),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 0 } } },
    { op: 'resend', tx: 'tx' },
    { op: 'mine', blocks: 13 },
    report('swap', 'tx', RECORDED),
  ],
}
