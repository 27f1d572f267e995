import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, REFUSED, report, SELL_ETH, SENT_AND_DEEP } from '../common.ts'

export const batched: Scenario = {
  id: 'hashes.batched',
  story:
    'A wallet wraps the swap into a batch: the outer transaction calls Multicall3, which makes the exact call of the build and succeeds. Outer transactions are not supported; the plain swap is credited.',
  requirements: ['confirm.no-outer-transactions', 'confirm.rejected.mismatched', 'confirm.recorded'],
  steps: [
    build('swap', { ...SELL_ETH, amount: 0.01, preferEngine: 'venue_c' }),
    { op: 'send', build: 'swap', as: 'outer', change: 'batched' },
    { op: 'mine', blocks: 13 },
    { op: 'look', tx: 'outer', state: 'succeeded' },
    report('swap', 'outer', REFUSED, { exercises: ['confirm.no-outer-transactions'] }),
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
  ],
}
