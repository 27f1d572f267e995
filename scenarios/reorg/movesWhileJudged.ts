import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report, SENT_AND_DEEP } from '../common.ts'

export const movesWhileJudged: Scenario = {
  id: 'reorg.moves-while-judged',
  story:
    'While the service judges the swap, a reorganisation moves it two blocks up; its hash and its receipt exist before and after. The two looks name different blocks, so the report waits, and the credit is for the block that stayed.',
  requirements: ['confirm.block-changed', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    {
      op: 'meanwhile',
      trip: 0,
      when: 'after',
      steps: [{ op: 'reorg', depth: 13, blocks: 15, keep: [{ tx: 'tx', block: 2 }] }],
    },
    report('swap', 'tx', PENDING),
    report('swap', 'tx', RECORDED),
  ],
}
