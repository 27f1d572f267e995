import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, report } from '../common.ts'

export const oneSecondBeforeEnd: Scenario = {
  id: 'window.one-second-before-end',
  story:
    'The swap executes one second before its window ends. It is inside, and is credited although the report comes after the end.',
  requirements: ['confirm.window.executes-within', 'confirm.window.late-report', 'confirm.recorded'],
  steps: [
    build('swap'),
    { op: 'send', build: 'swap', as: 'tx' },
    report('swap', 'tx', PENDING),
    { op: 'mine-at-deadline', build: 'swap', offsetS: -1 },
    { op: 'look', tx: 'tx', state: 'succeeded' },
    report('swap', 'tx', PENDING),
    { op: 'mine', blocks: 12 },
    report('swap', 'tx', RECORDED),
  ],
}
