import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED_BEFORE, report, SENT_AND_DEEP, TAKEN, UNAVAILABLE } from '../common.ts'

export const recordAnswerLost: Scenario = {
  id: 'failures.record-answer-lost',
  story:
    'The store writes the credit, and its answer is lost on the way: the service cannot know, and says 503. The client repeats its report, as it should; the swap is credited, and not twice.',
  requirements: ['confirm.unavailable', 'confirm.repeat.safe'],
  steps: [
    build('swap'),
    build('twin'),
    ...SENT_AND_DEEP,
    { op: 'store-fault', kind: 'answer-lost', method: 'recordAttribution', calls: 1 },
    report('swap', 'tx', UNAVAILABLE),
    report('twin', 'tx', TAKEN),
    report('swap', 'tx', RECORDED_BEFORE),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 1 } } },
  ],
}
