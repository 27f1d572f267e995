import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report, SELL_ETH } from '../common.ts'

export const elevenTwelveThirteen: Scenario = {
  id: 'depth.eleven-twelve-thirteen',
  story:
    'Three swaps of one block are reported at depths 11, 12 and 13. Eleven is too few by any way of counting, thirteen is enough by any; the reference counts the block of the swap itself, so twelve is enough.',
  requirements: ['confirm.depth.twelve', 'limits.confirmations', 'confirm.recorded'],
  steps: [
    build('one', { ...SELL_ETH, amount: 0.01 }),
    build('two', { ...SELL_ETH, amount: 0.02 }),
    build('three', { ...SELL_ETH, amount: 0.03 }),
    { op: 'send', build: 'one', as: 'tx-one' },
    { op: 'send', build: 'two', as: 'tx-two' },
    { op: 'send', build: 'three', as: 'tx-three' },
    { op: 'mine', blocks: 11 },
    report('one', 'tx-one', { ...PENDING, body: { recorded: false, confirmations: 11 } }),
    { op: 'mine', blocks: 1 },
    report('two', 'tx-two', RECORDED),
    { op: 'mine', blocks: 1 },
    report('three', 'tx-three', RECORDED),
    report('one', 'tx-one', RECORDED),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 3 } } },
  ],
}
