import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SENT_AND_DEEP } from '../common.ts'

export const spent: Scenario = {
  id: 'budget.spent',
  story:
    'A partner polls until its request budget is spent. Its report is refused with 429 and told when to come back; coming back then, it is served, and the refused report has cost it nothing.',
  requirements: ['confirm.budget-exceeded', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'spend-budget', key: 'one', atMost: 200 },
    report('swap', 'tx', { status: 429, headers: ['retry-after'] }),
    { op: 'wait', seconds: 60 },
    report('swap', 'tx', RECORDED),
  ],
}
