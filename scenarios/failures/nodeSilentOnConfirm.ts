import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SENT_AND_DEEP, UNAVAILABLE } from '../common.ts'

export const nodeSilentOnConfirm: Scenario = {
  id: 'failures.node-silent-on-confirm',
  story:
    'The node takes two minutes for an answer. Nobody waits for it that long: the report is to be sent again, and credited when the node answers as before.',
  requirements: ['confirm.unavailable', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'line-fault', kind: 'delay', delayMs: 120_000, trips: 1 },
    report('swap', 'tx', UNAVAILABLE),
    report('swap', 'tx', RECORDED),
  ],
}
