import { GasLimitError } from '../../evm/gasMeter.ts'
import type {
  JudgedAnswer,
  RecordingFailure,
  RecordingSummary,
} from '../../reporting/report/recordingSummary.ts'
import type { RunVerdict } from '../../reporting/results.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import { isRequirementId, requirement } from '../../spec/requirements/index.ts'
import { ChainInDoubtError, OtherWorldError } from '../execute/errors.ts'
import { type DraftOf, positioned } from '../format/drafts.ts'
import { parseRecording } from '../format/file.ts'
import type { RecordedVerdict, Recording } from '../format/schema.ts'
import { describeAbsences } from '../format/schemaOutside.ts'
import { timelineOf } from '../timeline/fromRecording.ts'
import { ContradictionError } from './errors.ts'
import { describeJudgedAs } from './judgedAs.ts'
import { type Verified, type VerifyOptions, verifyParsed } from './verifyRecording.ts'

/** A recording with its summary and timeline. */
export interface SummarizedRecording {
  readonly recording: Recording
  readonly summary: RecordingSummary
  /** Null: the file is refused, and its contents cannot be drawn. */
  readonly timeline: Timeline | null
}

/**
 * Verifies a recording and summarizes it, even if it is refused. Shows the current verdicts; the wording of those in the file is
 * never shown, because nothing proves it.
 *
 * @throws {RecordingFormatError} the text is not a recording of this version.
 */
export async function summarizeRecording(
  text: string,
  options: Pick<VerifyOptions, 'execute' | 'onPassed' | 'replay'> = {},
): Promise<SummarizedRecording> {
  const recording = parseRecording(text)
  let judged: Verified | null = null
  const onJudged = (verified: Verified) => {
    judged = verified
  }
  try {
    const verified = await verifyParsed(recording, { ...options, onJudged })
    const timeline = timelineOf(recording)
    return { recording, summary: summaryOf(recording, verified, null, timeline.problem), timeline }
  } catch (error) {
    const timeline = drawnIfPossible(recording)
    if (error instanceof ContradictionError)
      return { recording, summary: summaryOf(recording, null, error.message, null), timeline }
    const problem = doubtOf(error)
    const summary = summaryOf(recording, judged, null, timeline?.problem ?? null)
    return { recording, summary: { ...summary, verdict: 'inconclusive', problem }, timeline }
  }
}

/** Returns the reason why a recording could not be executed or is in doubt, as a sentence. @throws any other error. */
function doubtOf(error: unknown): string {
  const isOpen = error instanceof OtherWorldError || error instanceof GasLimitError
  if (!isOpen && !(error instanceof ChainInDoubtError)) throw error
  const { message, advice } = error
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}. ${advice}`
}

/** Returns the verdict of a genuine recording. */
export function verdictOfVerified({ counts, failures, outcome }: Verified): Exclude<RunVerdict, 'refused'> {
  if (failures.length > 0 || outcome.ended === 'unexpected') return 'does-not-conform'
  const empty = counts.exchanges === 0 || counts.verdicts === 0
  return empty || outcome.ended === 'not-run' ? 'inconclusive' : 'conforms'
}

/** Returns the verdict, but never `conforms` for a file of another version: it cannot be run again here, which proves nothing. */
export function provedVerdict(verified: Verified): RunVerdict {
  const verdict = verdictOfVerified(verified)
  return verified.replay?.kind === 'other-version' && verdict === 'conforms' ? 'inconclusive' : verdict
}

/** Describes the basis of the verdicts that only the file itself vouches for, in sentences for a list. */
export function describeBasis({
  judgedAs,
  replay,
}: Pick<Verified, 'judgedAs' | 'replay'>): readonly string[] {
  if (judgedAs !== null) return describeJudgedAs(judgedAs)
  if (replay?.kind === 'identical') return []
  return [
    'judged without a run of the script: steps, requests, identifiers, headers and faults are the words of the file',
  ]
}

/** Returns the timeline of a refused file; null: its entries cannot be drawn, such as a step without a script. */
function drawnIfPossible(recording: Recording): Timeline | null {
  try {
    return timelineOf(recording)
  } catch {
    return null
  }
}

function summaryOf(
  { entries, trailer }: Recording,
  verified: Verified | null,
  refused: string | null,
  problem: string | null,
): RecordingSummary {
  const [[, script] = [0, null]] = positioned(entries, 'script')
  const [[, programs] = [0, null]] = positioned(entries, 'provenance')
  return {
    name: script?.name ?? 'a recording without a script',
    seed: script?.seed ?? null,
    verdict: verified === null ? 'refused' : provedVerdict(verified),
    refused,
    problem,
    counts: verified?.counts ?? null,
    answers: verified?.judged.map(judgedAnswer) ?? [],
    root: trailer.root,
    entries: entries.length,
    absent: describeAbsences(positioned(entries, 'manifest')[0]?.[1].outside?.absent ?? []),
    basis: verified === null ? [] : describeBasis(verified),
    madeBy: programs === null ? [] : [`Plumbline ${programs.plumbline}`, `Node ${programs.node}`],
  }
}

function judgedAnswer({ http, verdicts }: DraftOf<'verdicts'>): JudgedAnswer {
  const ended = (how: RecordedVerdict['outcome']) => verdicts.filter(({ outcome }) => outcome === how)
  return {
    exchange: http,
    passed: ended('pass').length,
    observed: ended('observed').length,
    failures: ended('fail').map(failureOf),
    verdicts: verdicts.map(({ requirement: id, outcome, actual, note }) => ({
      requirement: id,
      section: isRequirementId(id) ? requirement(id).section : null,
      outcome,
      note: note ?? (outcome === 'observed' ? (actual ?? null) : null),
    })),
  }
}

function failureOf({ requirement: id, expected, actual, note }: RecordedVerdict): RecordingFailure {
  const known = isRequirementId(id) ? requirement(id) : null
  return {
    requirement: id,
    section: known?.section ?? null,
    clause: known?.clause ?? null,
    expected: expected ?? note ?? 'what the clause says',
    actual: actual ?? 'something else',
  }
}
