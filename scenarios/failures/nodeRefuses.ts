import type { Scenario } from '../../src/runner/scenario.ts'
import { build, LOST_BUILD, RECORDED, report, SELL_ETH, SENT_AND_DEEP, UNAVAILABLE } from '../common.ts'

export const nodeRefuses: Scenario = {
  id: 'failures.node-refuses',
  story:
    'The node answers, and every answer is an error. That is no word about any pair, trade or transaction: quote and build fail as upstream failures, a report is to be sent again. When the node has recovered, all of them work.',
  requirements: ['confirm.unavailable', 'build.upstream-failure'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'line-fault', kind: 'refused', trips: 1_000 },
    { op: 'quote', key: 'one', query: { ...SELL_ETH, amount: 0.25 }, expect: { status: 502 } },
    LOST_BUILD,
    report('swap', 'tx', UNAVAILABLE),
    { op: 'heal' },
    { op: 'quote', key: 'one', query: { ...SELL_ETH, amount: 0.25 }, expect: { status: 200 } },
    report('swap', 'tx', RECORDED),
  ],
}
