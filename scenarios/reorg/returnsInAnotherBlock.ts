import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report } from '../common.ts'

export const returnsInAnotherBlock: Scenario = {
  id: 'reorg.returns-in-another-block',
  story:
    'A reorganisation takes the swap out of the chain, and later it is mined again in another block. While it is gone the report is pending; the depth counts from the new block, and the credit follows.',
  requirements: ['confirm.block-changed', 'confirm.not-found', 'confirm.depth.twelve', 'confirm.recorded'],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 6 },
    report('swap', 'tx', PENDING),
    { op: 'reorg', depth: 6 },
    { op: 'look', tx: 'tx', state: 'unknown' },
    report('swap', 'tx', PENDING),
    { op: 'resend', tx: 'tx' },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 11 },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 2 },
    report('swap', 'tx', RECORDED, { exercises: ['confirm.block-changed'] }),
  ],
}
