import type { Scenario } from '../../src/runner/scenario.ts'
import { build, SELL_ETH, SENT_AND_DEEP } from '../common.ts'

export const twoKeysAtOnce: Scenario = {
  id: 'keys.two-keys-at-once',
  story:
    'Two partners report one transaction for their own builds at the same moment. It is credited to exactly one of them.',
  requirements: ['confirm.conflict.transaction', 'confirm.recorded'],
  steps: [
    build('swap'),
    build('theirs', SELL_ETH, 'two'),
    ...SENT_AND_DEEP,
    {
      op: 'race',
      reports: [
        { key: 'one', build: 'swap', tx: 'tx' },
        { key: 'two', build: 'theirs', tx: 'tx' },
      ],
      expectStatuses: [200, 409],
    },
  ],
}
