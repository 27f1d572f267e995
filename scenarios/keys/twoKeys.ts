import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SELL_ETH, SENT_AND_DEEP, TAKEN } from '../common.ts'

export const twoKeys: Scenario = {
  id: 'keys.two-keys',
  story:
    'Two partners build the same swap for the same user, who sends one transaction. Each can report only for its own build; the transaction is credited to one of them, and the totals of the other stay empty.',
  requirements: [
    'confirm.conflict.transaction',
    'auth.confirm.same-key',
    'confirm.build-not-found',
    'partner-report.per-key',
  ],
  steps: [
    build('swap'),
    build('theirs', SELL_ETH, 'two'),
    ...SENT_AND_DEEP,
    report('swap', 'tx', { status: 404 }, { key: 'two' }),
    report('theirs', 'tx', { status: 404 }),
    report('theirs', 'tx', RECORDED, { key: 'two', exercises: ['confirm.same-key'] }),
    report('swap', 'tx', TAKEN),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 0 } } },
    { op: 'report', key: 'two', expect: { status: 200, body: { confirmedSwaps: 1 } } },
  ],
}
