import { plural } from '../plural.ts'
import type { RunVerdict } from '../results.ts'

/** One violation that the judges of today find in a recording. */
export interface RecordingFailure {
  readonly requirement: string
  /** Of the specification, with the violated clause; null: this version has no such requirement. */
  readonly section: string | null
  readonly clause: string | null
  readonly expected: string
  readonly actual: string
}

/** One verdict of the judges of today. */
export interface ListedVerdict {
  readonly requirement: string
  /** Of the specification; null: this version has no such requirement. */
  readonly section: string | null
  readonly outcome: 'pass' | 'fail' | 'observed'
  /** What was observed, or what the judge notes; null: nothing. */
  readonly note: string | null
}

/** Describes what the judges of today say of one answer, or of all reports together. */
export interface JudgedAnswer {
  /** The id of the exchange; null: all reports together. */
  readonly exchange: number | null
  readonly passed: number
  readonly observed: number
  readonly failures: readonly RecordingFailure[]
  /** Each verdict, in the order of the judges. */
  readonly verdicts: readonly ListedVerdict[]
}

/** Describes what was looked at in a recording. */
export interface RecordingCounts {
  readonly exchanges: number
  readonly roundTrips: number
  readonly blocks: number
  readonly reports: number
  /** Passed and failed ones. */
  readonly verdicts: number
  /** Where the specification leaves open what is right: noted, neither passed nor failed. */
  readonly observed: number
}

/** Returns what was looked at, in words. */
export function describeCounts(counts: RecordingCounts): string {
  return [
    plural(counts.exchanges, 'exchange'),
    plural(counts.roundTrips, 'round trip'),
    plural(counts.blocks, 'block'),
    plural(counts.reports, 'report'),
    plural(counts.verdicts, 'verdict'),
    `${counts.observed} observed`,
  ].join(', ')
}

/** Describes how a recording stands by itself: the verdict of its run, or `refused` where the file proves nothing. */
export interface RecordingSummary {
  /** The name of its script. */
  readonly name: string
  readonly seed: number | null
  readonly verdict: RunVerdict | 'refused'
  /** What is altered or contradicts itself, with its place; null: the recording is genuine. */
  readonly refused: string | null
  /** Where the run ended early, and why, in a sentence; null: it ended as its script expects. */
  readonly problem: string | null
  /** What was looked at; null where it is refused. */
  readonly counts: RecordingCounts | null
  /** Empty where it is refused: nothing of it is judged then. */
  readonly answers: readonly JudgedAnswer[]
  /** The hash of the last entry, which identifies the whole file, in lower-case hex. */
  readonly root: string
  readonly entries: number
  /** What it lacks, in words, as it was made from outside of the service. Empty: nothing. */
  readonly absent: readonly string[]
  /** What the verdicts rest on where that is the word of the file, and what is not judged, in sentences. Empty: nothing. */
  readonly basis: readonly string[]
  /** Program and version, each as the file says. */
  readonly madeBy: readonly string[]
}

/** The verdict of a recording as a heading. */
export const RECORDING_HEADLINES: Readonly<Record<RecordingSummary['verdict'], string>> = {
  conforms: 'Holds',
  'does-not-conform': 'Genuine, but violates requirements',
  inconclusive: 'Genuine, and inconclusive',
  refused: 'Refused',
}

/** Describes why a run ended early: in a sentence, and with the last lines of a service that crashed. */
export interface Problem {
  readonly sentence: string
  /** null: the service did not crash, or printed nothing. */
  readonly log: { readonly title: string; readonly lines: string } | null
}

/** Splits what ended a run early: its first line says it, and what a service printed last follows a line that says so. */
export function splitProblem(problem: string): Problem {
  const [first = '', title, ...lines] = problem.split('\n')
  if (title === undefined) return { sentence: first, log: null }
  return lines.length === 0
    ? { sentence: `${first}. ${title}`, log: null }
    : { sentence: `${first}.`, log: { title, lines: lines.join('\n') } }
}

/** Anyone can seal an altered file again: what a seal proves ends there. */
const INTACT = 'Free of contradiction, and not altered, unless it was sealed again: compare the root.'

/** Returns what the verdict means, in a few sentences. */
export function explainRecording({ verdict, refused, problem, answers }: RecordingSummary): string {
  const why = problem === null ? null : splitProblem(problem).sentence
  const failures = answers.reduce((sum, answer) => sum + answer.failures.length, 0)
  switch (verdict) {
    case 'conforms':
      return `${INTACT} Its run violated nothing.`
    case 'does-not-conform':
      return `${INTACT} ${failures === 0 ? '' : `The judges find ${plural(failures, 'violation')}. `}${why ?? ''}`.trim()
    case 'inconclusive':
      return `${INTACT} ${why ?? 'Nothing of it could be judged.'}`
    case 'refused':
      return `It proves nothing: ${refused}. What is shown is only what the file says.`
  }
}

/** Returns the verdict as a run has one: a refused file fails. */
export function runVerdictOf(verdict: RecordingSummary['verdict']): RunVerdict {
  return verdict === 'refused' ? 'does-not-conform' : verdict
}

/** Returns the facts of a recording that a page draws, each by its name. A page that verifies itself compares them with what it computes. */
export function drawnFacts({ name, seed, entries, counts, root }: RecordingSummary) {
  return {
    name,
    seed: String(seed ?? 'unknown'),
    entries: String(entries),
    counts: counts === null ? '' : describeCounts(counts),
    root,
  }
}
