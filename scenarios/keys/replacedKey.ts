import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SELL_ETH_TO_MAKER, SENT_AND_DEEP } from '../common.ts'

export const replacedKey: Scenario = {
  id: 'keys.replaced-key',
  story:
    'A partner replaces its key after a confirmed swap. The new key starts a separate set of totals, and builds of its own are credited to it.',
  requirements: ['partner-report.replaced-key', 'partner-report.per-key', 'confirm.recorded'],
  steps: [
    build('swap', SELL_ETH_TO_MAKER),
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
    { op: 'issue-key', as: 'fresh', partner: 'partner-one', kind: 'individual' },
    { op: 'revoke-key', key: 'one' },
    { op: 'report', key: 'fresh', expect: { status: 200, body: { confirmedSwaps: 0 } } },
    build('next', { ...SELL_ETH_TO_MAKER, amount: 0.25 }, 'fresh'),
    { op: 'send', build: 'next', as: 'next-tx' },
    { op: 'mine', blocks: 13 },
    report('next', 'next-tx', RECORDED, { key: 'fresh' }),
    { op: 'report', key: 'fresh', expect: { status: 200, body: { confirmedSwaps: 1 } } },
    { op: 'report', key: 'one', expect: { status: 401 } },
  ],
}
