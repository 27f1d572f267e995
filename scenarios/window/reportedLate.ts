import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SENT_AND_DEEP } from '../common.ts'

export const reportedLate: Scenario = {
  id: 'window.reported-late',
  story:
    'The swap executed at once, and the partner reports it a day later. The window is for executing, not for reporting.',
  requirements: ['confirm.window.late-report', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'wait', seconds: 86_400 },
    { op: 'mine', blocks: 1 },
    report('swap', 'tx', RECORDED),
  ],
}
