import { judge, type Verdict } from '../oracles/verdict.ts'
import { jsonOf } from './expectations.ts'
import type { Run, StoryReport, StoryTotals } from './runLog.ts'

/**
 * Judges every partner report of a run by the reports of transactions before it (§4.3 rule 8): a swap counts for the key
 * that was told of it with a 200, once however often it was told; one whose answer was lost may count or not.
 *
 * Not judged: the worth of the swaps, the time of the last, swaps that a reorganisation took away after they were
 * recorded and that were reported again.
 */
export function judgeTotals({ reports, totals }: Pick<Run, 'reports' | 'totals'>): readonly Verdict[] {
  return totals.flatMap((told) => {
    const swaps = confirmedSwapsIn(told)
    if (swaps === null) return []
    const before = reports.slice(0, told.reportsBefore).filter((report) => ofKey(report, told.keyId))
    const certain = new Set(before.flatMap((report) => (isCredited(report) ? [pairOf(report)] : [])))
    const possible = new Set([...certain, ...before.filter(isUnheard).map(pairOf)])
    const holds = certain.size <= swaps && swaps <= possible.size
    const most = possible.size > certain.size ? ` to ${possible.size}` : ''
    // Too many count something twice; too few leave something out.
    const clause = swaps > possible.size ? 'confirm.repeat.safe' : 'partner-report.figures'
    const details = {
      expected: `${certain.size}${most} confirmed swaps`,
      seen: swaps,
      note: `step ${told.path}`,
    }
    return [judge(clause, holds, details)]
  })
}

/** Null: no report was given. */
function confirmedSwapsIn({ answer }: StoryTotals): number | null {
  if (answer.status !== 200) return null
  const body = jsonOf(answer) as { readonly confirmedSwaps?: unknown } | null | undefined
  return typeof body?.confirmedSwaps === 'number' ? body.confirmedSwaps : -1
}

function ofKey({ moments: [{ keyId }] }: StoryReport, wanted: string): boolean {
  return keyId === wanted
}

function isCredited({ moments: [{ answer }] }: StoryReport): boolean {
  return answer?.status === 200
}

function isUnheard({ moments: [{ answer }] }: StoryReport): boolean {
  return answer === null
}

function pairOf({ moments: [{ buildId, txHash }] }: StoryReport): string {
  return `${buildId} ${txHash}`.toLowerCase()
}
