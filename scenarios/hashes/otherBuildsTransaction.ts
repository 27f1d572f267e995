import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, REFUSED, report, SELL_ETH } from '../common.ts'

export const otherBuildsTransaction: Scenario = {
  id: 'hashes.other-builds-transaction',
  story:
    'The client mixes up two of its swaps and reports each with the hash of the other. Both are refused, nothing is spent by the mistake, and the right pairs are credited.',
  requirements: [
    'confirm.rejected.mismatched',
    'confirm.match.calldata',
    'confirm.tx-hash.of-swap',
    'confirm.recorded',
  ],
  steps: [
    build('swap', { ...SELL_ETH, amount: 0.01 }),
    build('other', { ...SELL_ETH, amount: 0.02 }),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'send', build: 'other', as: 'other-tx' },
    { op: 'mine', blocks: 13 },
    report('swap', 'other-tx', REFUSED),
    report('other', 'tx', REFUSED),
    report('swap', 'tx', RECORDED),
    report('other', 'other-tx', RECORDED),
  ],
}
