import { membersOf, parseJson } from '../../spec/json.ts'
import { judge, type Verdict } from '../verdict.ts'
import type { ObservedReport } from './confirmHistory.ts'

/** One response of the partner report (§4.3 rule 8). */
export interface ObservedTotals {
  /** The step that requested it. */
  readonly path: string
  readonly keyId: string
  readonly answer: { readonly status: number; readonly body: string }
  /** Number of reports of the history that had ended before. */
  readonly reportsBefore: number
}

/** One report of a history, with the moments that its response may reflect. */
export interface HistoryReport {
  readonly moments: readonly [ObservedReport, ...ObservedReport[]]
}

/**
 * Judges every partner report by the confirm reports before it (§4.3 rule 8): a swap counts once for the key that got a 200 for
 * it, however often it was reported. A swap whose response was lost may count or not.
 *
 * Not judged: the value of the swaps, the time of the last one, recorded swaps reported again after a reorganisation.
 */
export function judgeTotals(
  reports: readonly HistoryReport[],
  totals: readonly ObservedTotals[],
): readonly Verdict[] {
  return totals.flatMap((each) => {
    if (each.answer.status !== 200) return []
    const figures = membersOf(parseJson(each.answer.body))
    const numberIn = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)
    // A count that is no number is below every possible one.
    const swaps = numberIn(figures.confirmedSwaps, -1)
    const before = reports
      .slice(0, each.reportsBefore)
      .map(({ moments: [report] }) => report)
      .filter(({ keyId }) => keyId === each.keyId)
    const certain = new Set(before.filter(({ answer }) => answer?.status === 200).map(pairOf))
    const possible = new Set([...certain, ...before.filter(({ answer }) => answer === null).map(pairOf)])
    // Unpriced builds are counted separately: inside this count or next to it.
    const holds = certain.size <= swaps + numberIn(figures.unpricedSwaps, 0) && swaps <= possible.size
    const most = possible.size > certain.size ? ` to ${possible.size}` : ''
    // A count that is too high counts a swap twice; one that is too low omits a swap.
    const clause = swaps > possible.size ? 'confirm.repeat.safe' : 'partner-report.figures'
    const details = {
      expected: `${certain.size}${most} confirmed swaps`,
      actual: swaps,
      note: `step ${each.path}`,
    }
    return [judge(clause, holds, details)]
  })
}

function pairOf({ buildId, txHash }: ObservedReport): string {
  return `${buildId} ${txHash}`.toLowerCase()
}
