import type { Scenario } from '../../src/runner/scenario.ts'
import { build, RECORDED, RECORDED_BEFORE, report, SENT_AND_DEEP, TAKEN } from '../common.ts'

export const afterRecorded: Scenario = {
  id: 'reorg.after-recorded',
  story:
    'The swap was credited at depth 13, and then a deep reorganisation takes it out. Twelve confirmations are no guarantee: the credit stays, the same report still answers, and another transaction does not take its place.',
  requirements: ['confirm.repeat.safe', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    report('swap', 'tx', RECORDED),
    { op: 'reorg', depth: 13 },
    { op: 'look', tx: 'tx', state: 'unknown' },
    report('swap', 'tx', RECORDED_BEFORE),
    { op: 'resend', tx: 'tx' },
    { op: 'replace', tx: 'tx', as: 'again' },
    { op: 'mine', blocks: 14 },
    report('swap', 'again', TAKEN),
    { op: 'report', key: 'one', expect: { status: 200, body: { confirmedSwaps: 1 } } },
  ],
}
