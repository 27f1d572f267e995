import type { RecordingCounts } from '../../reporting/report/recordingSummary.ts'
import { type DraftOf, only, positioned } from '../format/drafts.ts'
import { parseRecording } from '../format/file.ts'
import type { Recording } from '../format/schema.ts'
import { checkBlocks } from './checkBlocks.ts'
import { checkLayout } from './checkLayout.ts'
import { checkReplies } from './checkReplies.ts'
import { checkReportFacts } from './checkReportFacts.ts'
import { checkSteps } from './checkSteps.ts'
import { checkVerdicts } from './checkVerdicts.ts'
import { ContradictionError } from './errors.ts'
import { judgeRecording } from './judgeRecording.ts'
import { RecordedChain } from './recordedChain.ts'
import { recordedHistory } from './recordedReports.ts'

/** What a recording comes to once it has been verified. */
export interface Verified {
  readonly recording: Recording
  /** How much was looked at. */
  readonly counts: RecordingCounts
  /** What the judges fail, as `requirement: expected …, actual …`. */
  readonly failures: readonly string[]
  readonly outcome: DraftOf<'outcome'>
  /** What the judges of today say: of each quote and build, then of all reports together. */
  readonly judged: readonly DraftOf<'verdicts'>[]
}

/**
 * Proves a recording offline, from the text of its file alone: nothing was changed since it was sealed, its parts do not
 * contradict each other, its blocks and transactions hash to what they are called, and the judges of today say of it what
 * was recorded as their verdict.
 *
 * Not proven: that a node would answer as recorded (state roots and simulations are taken as they stand; replay repeats
 * them), and who made the recording (a seal is no signature).
 *
 * @throws {RecordingFormatError} the text is no recording of this version.
 * @throws {ContradictionError} the first thing that does not hold, with its entry and field.
 */
export async function verifyRecording(text: string): Promise<Verified> {
  return verifyParsed(parseRecording(text))
}

/**
 * The same of a recording that was read already.
 *
 * @throws {ContradictionError} the first thing that does not hold, with its entry and field.
 */
export async function verifyParsed(recording: Recording): Promise<Verified> {
  const { entries, blobs } = recording
  checkLayout(recording)
  await checkBlocks(entries)
  const chain = new RecordedChain(entries)
  checkSteps(entries, chain)
  checkReplies(entries, blobs, chain)
  checkReportFacts(entries)
  const judged = judgeRecording(entries, recordedHistory(entries, chain))
  checkVerdicts(entries, judged)
  return summaryOf(recording, judged)
}

/** What `verifyParsed` refuses of a recording, as a sentence; null: nothing. */
export async function whyRefused(recording: Recording): Promise<string | null> {
  try {
    await verifyParsed(recording)
    return null
  } catch (error) {
    if (!(error instanceof ContradictionError)) throw error
    return error.message
  }
}

function summaryOf(recording: Recording, judged: readonly DraftOf<'verdicts'>[]): Verified {
  const { entries } = recording
  const count = (kind: 'http' | 'rpc' | 'block' | 'report') => positioned(entries, kind).length
  const verdicts = judged.flatMap((each) => each.verdicts)
  const [, outcome] = only(entries, 'outcome')
  return {
    recording,
    counts: {
      exchanges: count('http'),
      roundTrips: count('rpc'),
      blocks: count('block'),
      reports: count('report'),
      verdicts: verdicts.filter(({ outcome: how }) => how !== 'observed').length,
      observed: verdicts.filter(({ outcome: how }) => how === 'observed').length,
    },
    failures: verdicts
      .filter(({ outcome: how }) => how === 'fail')
      .map(({ requirement, expected, seen }) => `${requirement}: expected ${expected}, actual ${seen}`),
    outcome,
    judged,
  }
}
