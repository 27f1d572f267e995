import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SELL_ETH } from '../common.ts'

export const millions: Scenario = {
  id: 'attribution.millions',
  story:
    'A partner brings two large swaps, of 600 and of 500 ETH. The report adds them up to the dollar: 2.75 million.',
  requirements: ['partner-report.figures', 'partner-report.server-prices'],
  steps: [
    build('first', { ...SELL_ETH, amount: 600, slippageBps: 5000 }),
    { op: 'send', build: 'first', as: 'tx-first' },
    { op: 'mine', blocks: 1 },
    build('second', { ...SELL_ETH, amount: 500, slippageBps: 5000 }),
    { op: 'send', build: 'second', as: 'tx-second' },
    { op: 'mine', blocks: 13 },
    report('first', 'tx-first', RECORDED),
    report('second', 'tx-second', RECORDED),
    {
      op: 'report',
      key: 'one',
      expect: {
        status: 200,
        body: { confirmedSwaps: 2, pricedSwaps: 2, unpricedSwaps: 0, estimatedInputUsd: 2_750_000 },
      },
    },
  ],
}
