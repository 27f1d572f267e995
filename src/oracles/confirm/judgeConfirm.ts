import { PlumblineError } from '../../spec/errors.ts'
import { judgeDistinctBuildIds } from '../build/attribution.ts'
import { judgeRepeatedQuotes, type ObservedQuoteId } from '../response/cache.ts'
import type { Verdict } from '../verdict.ts'
import { type ConfirmHistory, judgeConfirmHistory, type ObservedReport } from './confirmHistory.ts'
import { type HistoryReport, judgeTotals, type ObservedTotals } from './partnerTotals.ts'

/** All facts that determine the responses of confirm over a period of time. */
export interface ReportHistory {
  /** By build id in lower case. */
  readonly builds: ConfirmHistory['builds']
  /** Every build id that was handed out, including repetitions, if known. */
  readonly buildIds?: readonly string[]
  /**
   * In the order in which they ended. A report during which the chain or the keys changed has several moments, and a response
   * that is right for one of them conforms.
   */
  readonly reports: readonly HistoryReport[]
  /** Number of leading reports that were judged before and serve as history alone. Default: 0. */
  readonly judgedBefore?: ConfirmHistory['judgedBefore']
  /** The partner reports that were requested during the period. */
  readonly totals?: readonly ObservedTotals[]
  /** The ids of the quotes returned during the period, in order. */
  readonly quotes?: readonly ObservedQuoteId[]
}

/** For callers of the former `judgeConfirm`, which judged a single report. */
class NoHistoryError extends PlumblineError {
  override readonly name = 'NoHistoryError'
  constructor() {
    super(
      'judgeConfirm takes a history: { builds, reports }',
      'To judge a single report by its facts, call judgeReport(facts, answer).',
    )
  }
}

/**
 * Judges all responses of confirm in a history (§4.3, §7): each report by the builds, the earlier credits and the canonical
 * chain at its moment; the totals of the partners; and that no id is used for two builds or two requests.
 *
 * Not judged: the order of reports that overlap in time, the value of the swaps.
 *
 * @throws {NoHistoryError} the argument holds no reports.
 */
export function judgeConfirm(history: ReportHistory): readonly Verdict[] {
  const { builds, buildIds = [], reports, judgedBefore, totals = [], quotes = [] } = history
  if (!Array.isArray(reports)) throw new NoHistoryError()
  return [
    ...judgeDistinctBuildIds(buildIds),
    ...judgeConfirmHistory({ builds, reports: explainingMoments(builds, reports), judgedBefore }),
    ...judgeTotals(reports, totals),
    ...judgeRepeatedQuotes(quotes),
  ]
}

/** The response assumed for a lost one: if it was right at some moment, it may have credited something. */
const CREDITED = { status: 200, headers: {}, json: { recorded: true, alreadyRecorded: false } }

/** Returns the moment of each report that explains its response; the first where none does. */
function explainingMoments(
  builds: ConfirmHistory['builds'],
  reports: readonly HistoryReport[],
): readonly ObservedReport[] {
  const chosen: ObservedReport[] = []
  for (const { moments } of reports) {
    const [first, ...others] = moments
    if (others.length === 0) {
      chosen.push(first)
      continue
    }
    const before = failuresOf(builds, chosen)
    const explains = (moment: ObservedReport) => {
      const answered =
        moment.answer === null ? { ...moment, answer: CREDITED, verification: 'available' as const } : moment
      return failuresOf(builds, [...chosen, answered]) === before
    }
    chosen.push(moments.find(explains) ?? first)
  }
  return chosen
}

function failuresOf(builds: ConfirmHistory['builds'], reports: readonly ObservedReport[]): number {
  return judgeConfirmHistory({ builds, reports }).filter(({ outcome }) => outcome === 'fail').length
}
