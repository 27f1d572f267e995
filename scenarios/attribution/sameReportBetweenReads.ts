import type { Scenario } from '../../src/runner/scenario.ts'
import { build, SENT_AND_DEEP } from '../common.ts'

const SAME = { key: 'one', build: 'swap', tx: 'tx' } as const

export const sameReportBetweenReads: Scenario = {
  id: 'attribution.same-report-between-reads',
  story:
    'A client sends its report twice at once. The first finds its build without a record; then the second runs to its end and is recorded; then the first goes on, and finds its transaction recorded: for its own build. That is no conflict with anybody.',
  requirements: ['confirm.repeat.safe', 'confirm.recorded'],
  steps: [
    build('swap'),
    ...SENT_AND_DEEP,
    {
      op: 'race',
      reports: [SAME, SAME],
      expectStatuses: [200, 200],
      // The first as far as its build's record, then the second to its end.
      order: [0, 1, 1, 1, 0, ...Array.from({ length: 24 }, () => 1)],
    },
  ],
}
