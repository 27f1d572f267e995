import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, report, SELL_ETH } from '../common.ts'

export const pricedAndUnpriced: Scenario = {
  id: 'attribution.priced-and-unpriced',
  story:
    'The partner sends a mark of its own with one build, and sells a token without any USD mark in another. The report counts both swaps, prices only the one that the server has a mark for, and by its own mark.',
  requirements: [
    'partner-report.figures',
    'partner-report.server-prices',
    'partner-report.unpriced',
    'partner-report.only-reported',
  ],
  steps: [
    build('marked', { ...SELL_ETH, fromPriceUsd: 9_999_999 }),
    {
      op: 'build',
      as: 'unmarked',
      key: 'one',
      sender: 'alice',
      body: {
        from: 'EIGHTEEN',
        to: 'WETH',
        amount: 10,

        fromPriceUsd: 1_000_000,
      },
      expect: { status: 200 },
    },
    build('unreported', { ...SELL_ETH, amount: 0.25 }),
    { op: 'approve', build: 'unmarked' },
    { op: 'send', build: 'unmarked', as: 'tx-unmarked' },
    { op: 'send', build: 'marked', as: 'tx-marked' },
    { op: 'send', build: 'unreported', as: 'tx-unreported' },
    { op: 'mine', blocks: 13 },
    report('marked', 'tx-marked', RECORDED),
    report('unmarked', 'tx-unmarked', RECORDED),
    {
      op: 'report',
      key: 'one',
      expect: {
        status: 200,
        body: { confirmedSwaps: 2, pricedSwaps: 1, unpricedSwaps: 1, estimatedInputUsd: 1250 },
      },
    },
  ],
}
