import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SENT_AND_DEEP, UNAVAILABLE } from '../common.ts'

export const lineDown: Scenario = {
  id: 'failures.line-down',
  story:
    'The node goes away in the middle of a report: before the first round trip, before the second, before the last. Each time the answer is 503 and never a verdict; when the node is back the swap is credited.',
  requirements: ['confirm.unavailable', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'line-fault', kind: 'down', trips: 1 },
    report('swap', 'tx', UNAVAILABLE),
    { op: 'line-fault', kind: 'down', skip: 1, trips: 1 },
    report('swap', 'tx', UNAVAILABLE),
    { op: 'line-fault', kind: 'down', skip: 2, trips: 1 },
    report('swap', 'tx', UNAVAILABLE),
    report('swap', 'tx', RECORDED),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 1 } } },
  ],
}
