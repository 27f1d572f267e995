import { shortenText } from '../spec/cutText.ts'
import { excusesOf } from './baseline.ts'
import { type BaselineLine, describeBaseline, type KnownCause, knownCauses } from './baselineText.ts'
import { causesOf } from './causes.ts'
import { inTerminal, toTerminal } from './document/terminal.ts'
import { knownText } from './documents/baseline.ts'
import { clauseOf } from './documents/clauses.ts'
import { failureBlocks } from './documents/failure.ts'
import type { Group } from './groupBy.ts'
import { plural } from './plural.ts'
import { type CaseResult, casesOf, type Results } from './results.ts'

/** GitHub shows ten annotations of each level for a step, and drops the others without a word. */
const MOST = 10
const MOST_CHARACTERS = 2_000

interface Annotation {
  readonly level: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly text: string
  /** How many cases, or entries of the baseline, it is about. */
  readonly count: number
}

/**
 * What fails a run, as workflow commands, which GitHub shows as annotations on a commit: one for each cause, errors first, and at
 * most ten. The last of ten counts the rest. What the baseline excuses comes last, as a notice.
 */
export function toAnnotations(run: Pick<Results, 'suites' | 'baseline'>): readonly string[] {
  const excuses = excusesOf(run)
  const { broken, inconclusive } = causesOf(casesOf(run).filter(({ id }) => !excuses.has(id)))
  const outdated = describeBaseline(run).filter(({ kind }) => kind !== 'excused')
  const failing = [
    ...broken.map((group) => ofCause('error', group)),
    ...ofEntries(outdated),
    ...inconclusive.map((group) => ofCause('warning', group)),
  ]
  const rest = failing.length <= MOST ? [] : failing.slice(MOST - 1)
  const shown = rest.length === 0 ? failing : [...failing.slice(0, MOST - 1), ofRest(rest)]
  return [...shown, ...ofKnown(knownCauses(run))].map(
    ({ level, title, text }) => `::${level} title=${property(title)}::${data(text)}`,
  )
}

/** Annotates a cause; a case that never ran has no failure, but is not a pass either. */
function ofCause(level: Annotation['level'], [first, ...others]: Group<CaseResult>): Annotation {
  const { id, failure } = first
  const violated = failure?.requirement ?? null
  const title = level === 'warning' || violated === null ? id : `${id} violates ${violated}`
  return { level, title, text: textOf(first, others.length), count: 1 + others.length }
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

/** Returns what the baseline excuses, a line for each cause. */
function ofKnown(known: readonly KnownCause[]): readonly Annotation[] {
  if (known.length === 0) return []
  const lines = known.map((one) => `${one.cause}: ${inTerminal(knownText(one))}`)
  const count = known.reduce((sum, { cases }) => sum + cases.length, 0)
  const title = `${plural(count, 'case')} excused by the baseline`
  return [{ level: 'notice', title, text: shortenText(lines.join('\n'), MOST_CHARACTERS), count }]
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
