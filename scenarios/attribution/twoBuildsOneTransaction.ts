import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, RECORDED_BEFORE, report, SENT_AND_DEEP, TAKEN } from '../common.ts'

export const twoBuildsOneTransaction: Scenario = {
  id: 'attribution.two-builds-one-transaction',
  story:
    'Two builds hold identical calldata, and the user sends one transaction. It matches both; it is credited to the build that was reported first, and the other report is a conflict.',
  requirements: ['confirm.conflict.transaction', 'confirm.recorded', 'confirm.repeat.safe'],
  steps: [
    build('swap'),
    build('twin'),
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
    report('twin', 'tx', TAKEN),
    report('swap', 'tx', RECORDED_BEFORE),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 1 } } },
  ],
}
