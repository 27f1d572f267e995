import { excusesOf, isDecided } from '../baseline.ts'
import { changedPoints } from '../openPoints.ts'
import { type CaseResult, casesOf, type Results } from '../results.ts'
import type { ReportChange } from './model.ts'

/**
 * Returns the differences of `here` from `there`. A case that fails for another reason than before is distinguished from one
 * that fails as before, so that a known failure does not hide a new one. Failures that the baseline of `here` excuses do not
 * count.
 *
 * @param against the name of `there`.
 */
export function compareRuns(there: Results, here: Results, against: string): ReportChange {
  const before = rowsOf(there)
  const after = rowsOf(here)
  const [excusedBefore, excusedNow] = [excusesOf(there), excusesOf(here)]
  const change: ReportChange = {
    against,
    newFailures: [],
    failsDifferently: [],
    noLongerExcused: [],
    newlyExcused: [],
    newlyInconclusive: [],
    fixed: [],
    vanished: [...before.keys()].filter((id) => !after.has(id)),
    added: [],
    changedPoints: changedPoints(there, here),
    changedEvidence: [],
  }
  for (const [id, row] of after) {
    const known = before.get(id)
    if (known === undefined) change.added.push(id)
    const isKnown = known?.status === 'fail' && reasonOf(row) === reasonOf(known)
    const excuse = excusedNow.get(id)
    const counts = row.status === 'fail' && excuse === undefined
    if (excuse !== undefined && excuse.fingerprint !== excusedBefore.get(id)?.fingerprint) {
      change.newlyExcused.push(id)
    } else if (counts && known?.status !== 'fail') change.newFailures.push(id)
    else if (counts && !isKnown) change.failsDifferently.push(id)
    else if (excuse === undefined && excusedBefore.has(id) && isStillOpen(known, row)) {
      change.noLongerExcused.push(id)
    } else if (isDecided(known) && !isDecided(row)) change.newlyInconclusive.push(id)
    else if (known?.status === 'fail' && row.status === 'pass') change.fixed.push(id)
    else if (known !== undefined && evidenceOf(known) !== evidenceOf(row)) {
      change.changedEvidence.push({ id, before: evidenceOf(known), after: evidenceOf(row) })
    }
  }
  return change
}

/** Returns whether the later run is no worse, worse, or inconclusive in comparison. */
export function judgeChange(change: ReportChange): 'no-worse' | 'worse' | 'unclear' {
  const { newFailures, failsDifferently, noLongerExcused } = change
  if ([...newFailures, ...failsDifferently, ...noLongerExcused].length > 0) return 'worse'
  return change.newlyInconclusive.length > 0 || change.vanished.length > 0 ? 'unclear' : 'no-worse'
}

function rowsOf(run: Results): ReadonlyMap<string, CaseResult> {
  return new Map(casesOf(run).map((row) => [row.id, row] as const))
}

/** Returns whether a case failed in both runs, or was inconclusive in both. */
function isStillOpen(known: CaseResult | undefined, { status }: CaseResult): boolean {
  return known?.status === status && (status === 'fail' || status === 'inconclusive')
}

/** Identifies a failure: the clause, the expected and the actual result, without replay commands and traces. */
function reasonOf({ failure }: CaseResult): string {
  if (failure === null) return ''
  const { requirement, expected, actual, message } = failure
  return JSON.stringify([requirement, expected, actual, requirement === null ? message : null])
}

function evidenceOf({ status, exercised, judged, notes }: CaseResult): string {
  const verdicts = judged.map(
    ({ requirement, passed, failed, observed }) => `${requirement} ${passed}/${failed}/${observed}`,
  )
  return [`${status}, ${exercised} observations`, ...verdicts, ...notes].join('; ')
}
