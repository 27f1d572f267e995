import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report } from '../common.ts'

export const sameHeightOtherHash: Scenario = {
  id: 'reorg.same-height-other-hash',
  story:
    'The new branch holds the swap at the very same height, in a block with another hash, and is shorter than the old one. Whoever compares heights only misses the change; the depth has to be counted again.',
  requirements: ['confirm.block-changed', 'confirm.depth.twelve', 'confirm.recorded'],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 11 },
    report('swap', 'tx', PENDING),
    { op: 'reorg', depth: 11, blocks: 3, keep: [{ tx: 'tx', block: 0 }] },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 8 },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 2 },
    report('swap', 'tx', RECORDED, { exercises: ['confirm.block-changed'] }),
  ],
}
