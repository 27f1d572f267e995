import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report } from '../common.ts'

export const movesToLaterBlock: Scenario = {
  id: 'reorg.moves-to-later-block',
  story:
    'The new branch holds the swap three blocks later than the old one did. Blocks of the old branch count for nothing: the depth starts anew from the block that survived.',
  requirements: ['confirm.block-changed', 'confirm.depth.twelve', 'confirm.recorded'],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 11 },
    report('swap', 'tx', PENDING),
    { op: 'reorg', depth: 11, blocks: 12, keep: [{ tx: 'tx', block: 3 }] },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 2 },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 2 },
    report('swap', 'tx', RECORDED),
  ],
}
