import { plural } from '../plural.ts'
import type { RunVerdict } from '../results.ts'

/** One violation that the current judges find in a recording. */
export interface RecordingFailure {
  readonly requirement: string
  /** Its section of the specification, with the violated clause; null: this version has no such requirement. */
  readonly section: string | null
  readonly clause: string | null
  readonly expected: string
  readonly actual: string
}

/** One verdict of the current judges. */
export interface ListedVerdict {
  readonly requirement: string
  /** Its section of the specification; null: this version has no such requirement. */
  readonly section: string | null
  readonly outcome: 'pass' | 'fail' | 'observed'
  /** The observation, or the judge's note; null: none. */
  readonly note: string | null
}

/** Verdicts of the current judges on one response, or on all reports together. */
export interface JudgedAnswer {
  /** The id of the exchange; null: all reports together. */
  readonly exchange: number | null
  readonly passed: number
  readonly observed: number
  readonly failures: readonly RecordingFailure[]
  /** Each verdict, in the order of the judges. */
  readonly verdicts: readonly ListedVerdict[]
}

/** Numbers of the verified parts of a recording. */
export interface RecordingCounts {
  readonly exchanges: number
  readonly roundTrips: number
  readonly blocks: number
  readonly reports: number
  /** Passed and failed ones. */
  readonly verdicts: number
  /** Observations at points that the specification leaves open, neither passed nor failed. */
  readonly observed: number
}

/** Returns the counts in words. */
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

/** The result of verifying a recording on its own: the verdict of its run, or `refused` if the file proves nothing. */
export interface RecordingSummary {
  /** The name of its script. */
  readonly name: string
  readonly seed: number | null
  readonly verdict: RunVerdict | 'refused'
  /** The alteration or contradiction, with its place; null: the recording is genuine. */
  readonly refused: string | null
  /** The place and the reason of an early end of the run, in a sentence; null: it ended as its script expects. */
  readonly problem: string | null
  /** Null: the recording is refused. */
  readonly counts: RecordingCounts | null
  /** Empty if the recording is refused: nothing of it is judged then. */
  readonly answers: readonly JudgedAnswer[]
  /** The hash of the last entry, which identifies the whole file, in lower-case hex. */
  readonly root: string
  readonly entries: number
  /** The parts that it lacks because it was made from outside the service, in words. */
  readonly absent: readonly string[]
  /** Sentences about what the verdicts take from the file without proof, and about what is not judged. */
  readonly basis: readonly string[]
  /** Programs and versions, as the file names them. */
  readonly madeBy: readonly string[]
}

export const RECORDING_HEADLINES: Readonly<Record<RecordingSummary['verdict'], string>> = {
  conforms: 'Holds',
  'does-not-conform': 'Genuine, but violates requirements',
  inconclusive: 'Genuine, and inconclusive',
  refused: 'Refused',
}

/** The reason why a run ended early: a sentence, and the last lines of output if a service crashed. */
export interface Problem {
  readonly sentence: string
  /** Null: the service did not crash, or printed nothing. */
  readonly log: { readonly title: string; readonly lines: string } | null
}

/** Splits a problem into its first line, which describes it, and the last output of a service, after a line that announces it. */
export function splitProblem(problem: string): Problem {
  const [first = '', title, ...lines] = problem.split('\n')
  if (title === undefined) return { sentence: first, log: null }
  return lines.length === 0
    ? { sentence: `${first}. ${title}`, log: null }
    : { sentence: `${first}.`, log: { title, lines: lines.join('\n') } }
}

/** A seal proves no more than this, as anyone can seal an altered file again. */
const INTACT = 'Free of contradiction, and not altered, unless it was sealed again: compare the root.'

/** Explains the verdict in a few sentences. */
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

/** Returns the verdict in the terms of a run: a refused file does not conform. */
export function runVerdictOf(verdict: RecordingSummary['verdict']): RunVerdict {
  return verdict === 'refused' ? 'does-not-conform' : verdict
}

/** Returns the facts that a page shows of a recording, by name. A page that verifies itself compares them with what it computes. */
export function drawnFacts({ name, seed, entries, counts, root }: RecordingSummary) {
  return {
    name,
    seed: String(seed ?? 'unknown'),
    entries: String(entries),
    counts: counts === null ? '' : describeCounts(counts),
    root,
  }
}
