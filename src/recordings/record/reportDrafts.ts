import type { ScenarioReport } from '../../simulation/run/runLog.ts'
import type { DraftOf } from '../format/drafts.ts'

/** Returns the entries of a run's reports, in the order of judging. */
export function reportDrafts(reports: readonly ScenarioReport[]): DraftOf<'report'>[] {
  return reports.map((report) => {
    const [{ answer, verification, exercises = [] }] = report.moments
    return {
      kind: 'report',
      http: report.request,
      lost: answer === null,
      verification,
      exercises: [...exercises],
      // The moment between two blocks follows from the other two.
      moments: report.heads.map((head, index) => momentOf(report, head, index)),
    }
  })
}

function momentOf(
  { moments }: ScenarioReport,
  head: string,
  index: number,
): DraftOf<'report'>['moments'][number] {
  const { key, budget, transactions } = moments[index] ?? moments[0]
  return {
    head,
    key,
    budget,
    transactions: [...transactions].map(([hash, { state }]) => ({ hash, state })),
  }
}
