import { type CaseRow, casesOf, type Results } from '../results.ts'
import type { ReportChange } from './model.ts'

/**
 * What is different in `here` from `there`. A case that failed there and fails here for another reason is kept apart
 * from one that fails as it did: a known failure must not hide a new one.
 *
 * @param against what `there` is called.
 */
export function compareRuns(there: Results, here: Results, against: string): ReportChange {
  const before = rowsOf(there)
  const after = rowsOf(here)
  const change: ReportChange = {
    against,
    newFailures: [],
    failsDifferently: [],
    newlyInconclusive: [],
    fixed: [],
    vanished: [...before.keys()].filter((id) => !after.has(id)),
    added: [],
    changedEvidence: [],
  }
  for (const [id, row] of after) {
    const known = before.get(id)
    if (known === undefined) change.added.push(id)
    if (row.status === 'fail' && known?.status !== 'fail') change.newFailures.push(id)
    else if (row.status === 'fail' && known !== undefined && reasonOf(row) !== reasonOf(known)) {
      change.failsDifferently.push(id)
    } else if (known !== undefined && isLost(known, row)) change.newlyInconclusive.push(id)
    else if (known?.status === 'fail' && row.status === 'pass') change.fixed.push(id)
    else if (known !== undefined && evidenceOf(known) !== evidenceOf(row)) {
      change.changedEvidence.push({ id, before: evidenceOf(known), after: evidenceOf(row) })
    }
  }
  return change
}

/** Whether nothing is worse in the later run, some things are, or it cannot be told. */
export function judgeChange(change: ReportChange): 'no-worse' | 'worse' | 'unclear' {
  if (change.newFailures.length > 0 || change.failsDifferently.length > 0) return 'worse'
  return change.newlyInconclusive.length > 0 || change.vanished.length > 0 ? 'unclear' : 'no-worse'
}

function rowsOf(run: Results): ReadonlyMap<string, CaseRow> {
  return new Map(casesOf(run).map((row) => [row.id, row] as const))
}

/** It told something there, and tells nothing here. */
function isLost(known: CaseRow, row: CaseRow): boolean {
  const tells = ({ status }: CaseRow) => status === 'pass' || status === 'fail' || status === 'observed'
  return tells(known) && !tells(row)
}

/** What identifies a failure: the clause, and what was expected and seen. Replay lines and traces are left out. */
function reasonOf({ failure }: CaseRow): string {
  if (failure === null) return ''
  const { requirement, expected, seen, message } = failure
  return JSON.stringify([requirement, expected, seen, seen === null ? message : null])
}

/** What a check rests on, in a line. */
function evidenceOf({ status, exercised, judged, notes }: CaseRow): string {
  const verdicts = judged.map(
    ({ requirement, passed, failed, observed }) => `${requirement} ${passed}/${failed}/${observed}`,
  )
  return [`${status}, exercised ${exercised} times`, ...verdicts, ...notes].join('; ')
}
