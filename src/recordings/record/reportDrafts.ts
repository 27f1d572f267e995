import type { RecordedReport } from '../../oracles/index.ts'
import type { ScenarioReport } from '../../simulation/run/runLog.ts'
import type { DraftOf } from '../format/drafts.ts'

/** Returns the entries of a run's reports, in the order of judging. */
export function reportDrafts(reports: readonly ScenarioReport[]): DraftOf<'report'>[] {
  return reports.map(({ request, moments, heads }) => reportDraft(request, moments[0], moments, heads))
}

/**
 * Returns the entry of a report.
 *
 * @param heads the newest block at each moment. The moment between two blocks has none, as it follows from the other two.
 */
export function reportDraft(
  http: number,
  first: RecordedReport,
  moments: readonly RecordedReport[],
  heads: readonly string[],
): DraftOf<'report'> {
  const { answer, verification, exercises = [] } = first
  return {
    kind: 'report',
    http,
    lost: answer === null,
    verification,
    exercises: [...exercises],
    moments: heads.map((head, index) => {
      const { key, budget, transactions } = moments[index] ?? first
      return {
        head,
        key,
        budget,
        transactions: [...transactions].map(([hash, { state }]) => ({ hash, state })),
      }
    }),
  }
}
