import { shortenText } from '../spec/cutText.ts'
import { excusesOf } from './baseline.ts'
import {
  type BaselineLine,
  describeBaseline,
  describeKnown,
  type KnownCause,
  knownCauses,
} from './baselineText.ts'
import { causesOf, type Group } from './causes.ts'
import { failureText } from './failureText.ts'
import { plural } from './plural.ts'
import { type CaseRow, casesOf, type Results } from './results.ts'

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
 * most ten. The last of ten counts the rest. What the baseline excuses comes last, as notices.
 */
export function toAnnotations(run: Pick<Results, 'suites' | 'baseline'>): readonly string[] {
  const excuses = excusesOf(run)
  const { broken, inconclusive } = causesOf(casesOf(run).filter(({ id }) => !excuses.has(id)))
  const outdated = describeBaseline(run).filter(({ kind }) => kind !== 'excused')
  const failing = [...broken.map(ofFailures), ...ofEntries(outdated), ...inconclusive.map(ofInconclusive)]
  const known = knownCauses(run).map(ofKnown)
  const first = within(failing, known.length === 0 ? MOST : MOST - 1, ofRest)
  const shown = [...first, ...within(known, MOST - first.length, ofMoreKnown)]
  return shown.map(({ level, title, text }) => `::${level} title=${property(title)}::${data(text)}`)
}

/** As many of the first as there is room for; the last of them counts the rest. */
function within(
  all: readonly Annotation[],
  most: number,
  ofOthers: (rest: readonly Annotation[]) => Annotation,
): readonly Annotation[] {
  return all.length <= most ? all : [...all.slice(0, most - 1), ofOthers(all.slice(most - 1))]
}

function ofFailures([first, ...others]: Group<CaseRow>): Annotation {
  const { id, failure } = first
  const violated = failure?.requirement ?? null
  return {
    level: 'error',
    title: violated === null ? id : `${id} violates ${violated}`,
    text: textOf(first, others.length),
    count: 1 + others.length,
  }
}

/** Inconclusive results. A case that never ran has no failure, but is not a pass either. */
function ofInconclusive([first, ...others]: Group<CaseRow>): Annotation {
  return {
    level: 'warning',
    title: first.id,
    text: textOf(first, others.length),
    count: 1 + others.length,
  }
}

function textOf({ failure, notes }: CaseRow, others: number): string {
  const what = failure === null ? (notes[0] ?? 'nothing was exercised') : failureText(failure).join('\n')
  return [
    shortenText(what, MOST_CHARACTERS),
    ...(others === 0 ? [] : [`and ${plural(others, 'more case')} with this cause`]),
    ...(failure === null ? [] : [failure.replay]),
  ].join('\n')
}

/** Entries of the baseline that fail the run. */
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

/** Returns what the baseline excuses, by cause. */
function ofKnown(known: KnownCause): Annotation {
  const { cause, requirement, cases } = known
  const title = requirement === null ? 'known to be inconclusive' : `known: ${requirement}`
  const text = requirement === null ? `${cause}\n${describeKnown(known)}` : describeKnown(known)
  return { level: 'notice', title, text: shortenText(text, MOST_CHARACTERS), count: cases.length }
}

function ofMoreKnown(rest: readonly Annotation[]): Annotation {
  const count = countOf(rest)
  return {
    level: 'notice',
    title: plural(rest.length, 'more known cause'),
    text: `${plural(count, 'more case')} excused by the baseline. report.html shows all of them.`,
    count,
  }
}

function countOf(annotations: readonly Annotation[]): number {
  return annotations.reduce((sum, { count }) => sum + count, 0)
}

function ofRest(rest: readonly Annotation[]): Annotation {
  const results = countOf(rest)
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
