import type { RecordingCounts } from '../../reporting/report/recordingSummary.ts'
import { comparable } from '../format/digest.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import { parseRecording } from '../format/file.ts'
import { withoutEarlierPasses, withoutLaterPasses } from '../format/judgesOfThen.ts'
import type { Recording } from '../format/schema.ts'
import { firstDifference } from '../replay/differences.ts'
import { checkBlocks } from './checkBlocks.ts'
import { checkLayout } from './checkLayout.ts'
import { checkReplies } from './checkReplies.ts'
import { checkReportFacts } from './checkReportFacts.ts'
import { checkSteps } from './checkSteps.ts'
import { ContradictionError, demand } from './errors.ts'
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

/** @throws {ContradictionError} the judges of today say something else than was recorded. */
function checkVerdicts(entries: Drafts, judged: readonly DraftOf<'verdicts'>[]): void {
  const recorded = positioned(entries, 'verdicts')
  for (const [index, [at, { http, verdicts }]] of recorded.entries()) {
    const recordedThen = { kind: 'verdicts' as const, http, verdicts }
    const judgedNow = judged[index] ?? { ...recordedThen, verdicts: [] }
    const then = withoutEarlierPasses(recordedThen, judgedNow)
    const now = withoutLaterPasses(judgedNow, recordedThen)
    const difference = firstDifference(comparable(then, {}), comparable(now, {}))
    if (difference === null) continue
    const field = difference.path === '' ? 'verdicts' : difference.path
    throw new ContradictionError(at, field, `recorded ${difference.left}, judged now ${difference.right}`)
  }
  const missing = judged[recorded.length]
  const problem = `none are recorded of ${missing?.http ?? 'the reports'}`
  demand(missing === undefined, entries.length, 'verdicts', problem)
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
