import type { Scenario } from '../../src/runner/scenario.ts'
import { build, SENT_AND_DEEP } from '../common.ts'

export const twoBuildsAtOnce: Scenario = {
  id: 'attribution.two-builds-at-once',
  story:
    'Two builds with identical calldata claim one transaction at the same moment. Whoever checks first and writes later credits it twice; exactly one report may win.',
  requirements: ['confirm.conflict.transaction', 'confirm.recorded'],
  steps: [
    build('swap'),
    build('twin'),
    ...SENT_AND_DEEP,
    {
      op: 'race',
      reports: [
        { key: 'one', build: 'swap', tx: 'tx' },
        { key: 'one', build: 'twin', tx: 'tx' },
      ],
      expectStatuses: [200, 409],
    },
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 1 } } },
  ],
}
