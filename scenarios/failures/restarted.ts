import type { Scenario } from '../../src/runner/scenario.ts'
import { build, PENDING, RECORDED, RECORDED_BEFORE, report } from '../common.ts'

export const restarted: Scenario = {
  id: 'failures.restarted',
  story:
    'The service is restarted between build and report, and again between a pending report and the next, and again after the credit. Everything that matters is in the store.',
  requirements: ['confirm.recorded', 'confirm.repeat.safe'],
  steps: [
    build('swap'),
    { op: 'restart' },
    { op: 'send', build: 'swap', as: 'tx' },
    { op: 'mine', blocks: 5 },
    report('swap', 'tx', PENDING),
    { op: 'restart' },
    { op: 'mine', blocks: 8 },
    report('swap', 'tx', RECORDED),
    { op: 'restart' },
    report('swap', 'tx', RECORDED_BEFORE),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 1 } } },
  ],
}
