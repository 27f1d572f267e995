import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report } from '../common.ts'

export const headMovesBackwards: Scenario = {
  id: 'reorg.head-moves-backwards',
  story:
    'The node falls back by five blocks: the swap stays where it was, but fewer blocks lie on top of it. What was 13 deep is 8 deep, whoever remembers the old head.',
  requirements: ['confirm.depth.twelve', 'confirm.recorded'],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 11 },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 2 },
    { op: 'rollback', depth: 5 },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 3 },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 2 },
    report('swap', 'tx', RECORDED),
  ],
}
