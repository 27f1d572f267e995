import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SELL_ETH, SENT_AND_DEEP } from '../common.ts'

export const sharedByKeys: Scenario = {
  id: 'budget.shared-by-keys',
  story:
    'Two keys of one partner share its budget: what one spends, the other misses. Another partner is not touched, and neither are quotes and builds.',
  requirements: ['confirm.budget.shared', 'confirm.budget-exceeded', 'confirm.recorded'],
  steps: [
    { op: 'issue-key', as: 'sibling', partner: 'partner-one', kind: 'individual' },
    build('swap'),
    build('theirs', { ...SELL_ETH, amount: 0.01 }, 'two'),
    ...SENT_AND_DEEP,
    { op: 'send', build: 'theirs', as: 'their-tx' },
    { op: 'mine', blocks: 13 },
    { op: 'spend-budget', key: 'sibling', atMost: 200 },
    report('swap', 'tx', { status: 429 }, { exercises: ['confirm.budget.shared'] }),
    report('theirs', 'their-tx', RECORDED, { key: 'two' }),
    build('another'),
  ],
}
