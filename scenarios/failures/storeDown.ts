import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SENT_AND_DEEP, UNAVAILABLE } from '../common.ts'

export const storeDown: Scenario = {
  id: 'failures.store-down',
  story:
    'The store fails at every single call that a report makes, one after the other, the write itself last. Each time the answer is 503 and nothing is recorded; then the swap is credited, once.',
  requirements: ['confirm.unavailable', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'store-fault', kind: 'down', method: 'findKeyByHash', calls: 1 },
    report('swap', 'tx', UNAVAILABLE),
    { op: 'store-fault', kind: 'down', method: 'spendBudget', calls: 1 },
    report('swap', 'tx', UNAVAILABLE),
    { op: 'store-fault', kind: 'down', method: 'findBuild', calls: 1 },
    report('swap', 'tx', UNAVAILABLE),
    { op: 'store-fault', kind: 'down', method: 'findAttributionByBuild', calls: 1 },
    report('swap', 'tx', UNAVAILABLE),
    { op: 'store-fault', kind: 'down', method: 'findAttributionByTransaction', calls: 1 },
    report('swap', 'tx', UNAVAILABLE),
    { op: 'store-fault', kind: 'down', method: 'recordAttribution', calls: 1 },
    report('swap', 'tx', UNAVAILABLE),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 0 } } },
    report('swap', 'tx', RECORDED),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 1 } } },
  ],
}
