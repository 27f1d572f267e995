import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report, SENT_AND_DEEP } from '../common.ts'

export const headFallsWhileJudged: Scenario = {
  id: 'reorg.head-falls-while-judged',
  story:
    'The swap is deep enough when the service finds it. Before the service looks at its block, the chain falls back by five; the block is the same, and too few lie on top of it. The depth that counts is that of the second look.',
  requirements: ['confirm.depth.twelve', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    { op: 'meanwhile', trip: 0, when: 'after', steps: [{ op: 'rollback', depth: 5 }] },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 5 },
    report('swap', 'tx', RECORDED),
  ],
}
