import { membersOf } from '../../spec/json.ts'
import { judge, type Verdict } from '../verdict.ts'

/** The partner report of one key (§4.3 rule 8), under the suite's names. */
export interface PartnerFigures {
  readonly confirmedSwaps: number
  /** In any format that `validUntil` may have; null before the first confirmation. */
  readonly lastConfirmationAt: unknown
  readonly estimatedInputUsd: number
  readonly unpricedSwaps: number
}

/** A response to a request for the report; `json` has the suite's names. */
interface ReportResponse {
  readonly status: number
  readonly json: unknown
}

/** Returns the figures of a report; null if it is not served or lacks one. */
export function readPartnerReport({ status, json }: ReportResponse): PartnerFigures | null {
  const { lastConfirmationAt, ...body } = membersOf(json)
  const confirmedSwaps = numberIn(body.confirmedSwaps)
  const estimatedInputUsd = numberIn(body.estimatedInputUsd)
  // Unpriced swaps are counted separately, or are the rest of all swaps if the priced ones are counted.
  const unpricedSwaps = numberIn(body.unpricedSwaps ?? confirmedSwaps - numberIn(body.pricedSwaps))
  const isWhole =
    status === 200 &&
    lastConfirmationAt !== undefined &&
    ![confirmedSwaps, estimatedInputUsd, unpricedSwaps].some(Number.isNaN)
  return isWhole ? { confirmedSwaps, estimatedInputUsd, unpricedSwaps, lastConfirmationAt } : null
}

/** Judges that the report is served and has all its figures (§4.3 rule 8, a convention). @param actual the response as text. */
export function judgePartnerReport(response: ReportResponse, path: string, actual: string): Verdict {
  return judge('partner-report.endpoint', readPartnerReport(response) !== null, {
    expected: `200 at ${path} with a number of confirmed and unpriced swaps, a sum in USD and the last confirmation`,
    actual,
  })
}

/** Reads a sum that is a number or a decimal string. */
function numberIn(value: unknown): number {
  if (typeof value === 'string' && value.trim() !== '') return Number(value)
  return typeof value === 'number' ? value : Number.NaN
}
