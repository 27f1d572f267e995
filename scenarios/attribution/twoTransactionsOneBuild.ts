import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, RECORDED_BEFORE, report, SELL_ETH_TO_MAKER, TAKEN } from '../common.ts'

export const twoTransactionsOneBuild: Scenario = {
  id: 'attribution.two-transactions-one-build',
  story:
    'The user sends the swap of one build twice, at successive nonces, and both succeed. One is credited; the other is a conflict and stays one.',
  requirements: ['confirm.conflict.build', 'confirm.recorded'],
  steps: [
    build('swap', SELL_ETH_TO_MAKER),
    { op: 'send', build: 'swap', as: 'first' },
    { op: 'send', build: 'swap', as: 'second' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'first', state: 'succeeded' },
    { op: 'look', tx: 'second', state: 'succeeded' },
    report('swap', 'second', RECORDED),
    report('swap', 'first', TAKEN),
    report('swap', 'second', RECORDED_BEFORE),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 1 } } },
  ],
}
