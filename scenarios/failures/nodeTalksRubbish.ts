import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SENT_AND_DEEP, UNAVAILABLE } from '../common.ts'

export const nodeTalksRubbish: Scenario = {
  id: 'failures.node-talks-rubbish',
  story:
    'The node answers, and what it answers makes no sense. That is no proof of anything: 503, not 202 and not 422, at every round trip of the report.',
  requirements: ['confirm.unavailable', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'line-fault', kind: 'rubbish', trips: 1 },
    report('swap', 'tx', UNAVAILABLE),
    { op: 'line-fault', kind: 'rubbish', skip: 1, trips: 1 },
    report('swap', 'tx', UNAVAILABLE),
    { op: 'line-fault', kind: 'rubbish', skip: 2, trips: 1 },
    report('swap', 'tx', UNAVAILABLE),
    report('swap', 'tx', RECORDED),
  ],
}
