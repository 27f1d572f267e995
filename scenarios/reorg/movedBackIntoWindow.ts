import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report } from '../common.ts'

export const movedBackIntoWindow: Scenario = {
  id: 'reorg.moved-back-into-window',
  story:
    'The swap executed one second late, and a reorganisation moved it to the last second of its window. The first, shallow sight of it was no verdict: it is credited.',
  requirements: ['confirm.window.executes-within', 'confirm.recorded'],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine-at-deadline', build: 'swap', offsetS: 1 },
    report('swap', 'tx', PENDING),
    { op: 'rollback', depth: 1 },
    { op: 'resend', tx: 'tx' },
    { op: 'mine-at-deadline', build: 'swap', offsetS: -1 },
    { op: 'mine', blocks: 12 },
    report('swap', 'tx', RECORDED),
  ],
}
