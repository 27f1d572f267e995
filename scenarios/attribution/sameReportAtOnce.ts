import type { Scenario } from '../../src/runner/scenario.ts'
import { build, SENT_AND_DEEP } from '../common.ts'

export const sameReportAtOnce: Scenario = {
  id: 'attribution.same-report-at-once',
  story:
    'A client that does not trust its network sends the same report three times at once. All are answered 200, and the swap counts once.',
  requirements: ['confirm.repeat.safe', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    {
      op: 'race',
      reports: [
        { key: 'one', build: 'swap', tx: 'tx' },
        { key: 'one', build: 'swap', tx: 'tx' },
        { key: 'one', build: 'swap', tx: 'tx' },
      ],
      expectStatuses: [200, 200, 200],
    },
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 1 } } },
  ],
}
