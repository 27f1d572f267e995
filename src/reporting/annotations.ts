import { shortenText } from '../spec/cutText.ts'
import { excusesOf } from './baseline.ts'
import { type BaselineLine, describeBaseline } from './baselineText.ts'
import { type Cause, causesOf } from './causes.ts'
import { toTerminal } from './document/terminal.ts'
import { clauseOf } from './documents/clauses.ts'
import { failureBlocks } from './documents/failure.ts'
import { plural } from './plural.ts'
import type { ReportChange } from './report/model.ts'
import { type CaseResult, casesOf, type Results } from './results.ts'

/** GitHub shows ten annotations of each level for a step, and silently drops the others. */
const MOST = 10
const MOST_CHARACTERS = 2_000

interface Annotation {
  readonly level: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly text: string
  /** Number of cases, or of entries of the baseline, that it is about. */
  readonly count: number
}

/**
 * Returns the failures of a run as workflow commands, which GitHub shows as annotations on a commit: at most ten, one for each
 * cause, in the order in which to fix them. The last of ten counts the rest.
 *
 * @param change the changes since another run, if the run is compared: causes known from there are only counted, in a notice.
 */
export function toAnnotations(
  run: Pick<Results, 'suites' | 'baseline'>,
  change: ReportChange | null = null,
): readonly string[] {
  const excuses = excusesOf(run)
  const unexcused = casesOf(run).filter(({ id }) => !excuses.has(id))
  const causes = causesOf(unexcused)
  const isNew = change === null ? () => true : newIn(change)
  const shownCauses = causes.filter(({ rows }) => rows.some(isNew))
  const outdated = describeBaseline(run).filter(({ kind }) => kind !== 'excused')
  const failing = [...shownCauses.map((cause) => ofCause(cause, isNew)), ...ofEntries(outdated)].sort(
    (one, other) => Number(other.level === 'error') - Number(one.level === 'error'),
  )
  const rest = failing.length <= MOST ? [] : failing.slice(MOST - 1)
  const shown = rest.length === 0 ? failing : [...failing.slice(0, MOST - 1), ofRest(rest)]
  return [...shown, ...ofKnown(causes.length - shownCauses.length, change)].map(
    ({ level, title, text }) => `::${level} title=${property(title)}::${data(text)}`,
  )
}

/** Returns whether a case ended differently in the run that this one is compared with. */
function newIn(change: ReportChange): (row: Pick<CaseResult, 'id'>) => boolean {
  const ids = new Set([
    ...change.newFailures,
    ...change.failsDifferently,
    ...change.noLongerExcused,
    ...change.newlyInconclusive,
    ...change.added,
  ])
  return ({ id }) => ids.has(id)
}

/** Annotates a cause by one of its new cases. A case that never ran has no failure, but did not pass either. */
function ofCause({ status, rows }: Cause<CaseResult>, isNew: (row: CaseResult) => boolean): Annotation {
  const shown = rows.find(isNew) ?? rows[0]
  const violated = shown.failure?.requirement ?? null
  const title = status === 'inconclusive' || violated === null ? shown.id : `${shown.id} violates ${violated}`
  const level = status === 'inconclusive' ? 'warning' : 'error'
  return { level, title, text: textOf(shown, rows.length - 1), count: rows.length }
}

function textOf({ failure, notes }: CaseResult, others: number): string {
  const what =
    failure === null
      ? (notes[0] ?? 'nothing was exercised')
      : toTerminal(failureBlocks(failure, clauseOf)).join('\n')
  return [
    shortenText(what, MOST_CHARACTERS),
    ...(others === 0 ? [] : [`and ${plural(others, 'more case')} with this cause`]),
    ...(failure === null ? [] : [failure.replay]),
  ].join('\n')
}

/** Returns the entries of the baseline that fail the run. */
function ofEntries(lines: readonly BaselineLine[]): readonly Annotation[] {
  if (lines.length === 0) return []
  return [
    {
      level: 'error',
      title: 'baseline',
      text: shortenText(lines.map(({ kind, text }) => `${kind}: ${text}`).join('\n'), MOST_CHARACTERS),
      count: lines.length,
    },
  ]
}

/** Counts the causes that are known from the run that this one is compared with. */
function ofKnown(causes: number, change: ReportChange | null): readonly Annotation[] {
  if (change === null || causes === 0) return []
  const text = `${plural(causes, 'cause')} already known from ${change.against}. report.html shows all of them.`
  return [{ level: 'notice', title: 'as before', text, count: causes }]
}

function ofRest(rest: readonly Annotation[]): Annotation {
  const results = rest.reduce((sum, { count }) => sum + count, 0)
  return {
    level: rest.some(({ level }) => level === 'error') ? 'error' : 'warning',
    title: `${rest.length} more causes`,
    text: `${results} more results did not pass, with ${rest.length} causes. report.html shows all of them.`,
    count: results,
  }
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
