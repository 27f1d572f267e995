import type { Scenario } from '../../src/runner/scenario.ts'
import { build, SELL_ETH_TO_MAKER } from '../common.ts'

export const twoTransactionsAtOnce: Scenario = {
  id: 'attribution.two-transactions-at-once',
  story:
    'Two transactions that both match one build are reported at the same moment. Exactly one of them is credited.',
  requirements: ['confirm.conflict.build', 'confirm.recorded'],
  steps: [
    build('swap', SELL_ETH_TO_MAKER),
    { op: 'send', build: 'swap', as: 'first' },
    { op: 'send', build: 'swap', as: 'second' },
    { op: 'mine', blocks: 13 },
    {
      op: 'race',
      reports: [
        { key: 'one', build: 'swap', tx: 'first' },
        { key: 'one', build: 'swap', tx: 'second' },
      ],
      expectStatuses: [200, 409],
    },
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 1 } } },
  ],
}
