import type { RecordingCounts } from '../../reporting/report/recordingSummary.ts'
import type { VerifyStage } from '../../reporting/report/selfCheck.ts'
import { isRequirementId, requirement } from '../../spec/requirements/index.ts'
import { ChainInDoubtError } from '../execute/errors.ts'
import type { Execution } from '../execute/executeRecording.ts'
import type { Difference } from '../format/differences.ts'
import { type DraftOf, only, positioned } from '../format/drafts.ts'
import { parseRecording } from '../format/file.ts'
import type { RecordedVerdict, Recording } from '../format/schema.ts'
import { describeAbsences } from '../format/schemaOutside.ts'
import type { Replayed } from '../replay/evmReplay.ts'
import { type ClientTaskOf, checkClient, checkClientOutcome } from './checkClient.ts'
import { checkJudged } from './checkJudged.ts'
import { checkLayout } from './checkLayout.ts'
import { checkOrder } from './checkOrder.ts'
import { checkLineFaults, checkPresence, checkStart, isOutside } from './checkOutside.ts'
import { checkReportFacts } from './checkReportFacts.ts'
import { checkVerdicts } from './checkVerdicts.ts'
import { ContradictionError, NotDemandedError } from './errors.ts'
import { checkDeclared, type JudgedAs, judgedAs } from './judgedAs.ts'
import { brief, judgeRecording } from './judgeRecording.ts'
import { recordedHistory } from './recordedReports.ts'

export interface VerifyOptions {
  /** True if blocks and calls are executed again in a second EVM, which takes some seconds. Default true. */
  readonly execute?: boolean
  /** The root that the file must have, 64 hexadecimal digits. Default: any. */
  readonly root?: string | undefined
  /** The nonce that the file must hold. Default: any. */
  readonly nonce?: string | undefined
  /** Runs a recording of the reference again; throws where that comes to something else. Default: nobody does. */
  readonly replay?: ((recording: Recording) => Promise<Replayed>) | undefined
  /** Returns what a case of this version asks of a client. Default: what the file says that it does is believed. */
  readonly clientTask?: ClientTaskOf | undefined
  /** Hears of each stage that has passed, in order. */
  readonly onPassed?: ((stage: VerifyStage) => void) | undefined
  /** Is given what holds before any call is executed. */
  readonly onJudged?: ((verified: Verified) => void) | undefined
}

/** Describes what a recording comes to once it has been verified. */
export interface Verified {
  readonly recording: Recording
  /** How much was looked at. */
  readonly counts: RecordingCounts
  /** What the judges fail, as `requirement: expected …, actual … (§…: "clause")`. */
  readonly failures: readonly string[]
  readonly outcome: DraftOf<'outcome'>
  /** What it lacks, in words, as it was made from outside of the service. Empty: nothing. */
  readonly absent: readonly string[]
  /** What the verdicts on a service from outside rest on; null: it is the reference. */
  readonly judgedAs: JudgedAs | null
  /**
   * What the judges of today say: of each quote and build, then of all reports together. Where a second EVM has executed it,
   * of the amounts of each quote and build as well.
   */
  readonly judged: readonly DraftOf<'verdicts'>[]
  /** What a second EVM has executed again, and found the same; null: nobody asked it. */
  readonly execution: Execution | null
  /** What running it again came to; null: nobody did. */
  readonly replay: Replayed | null
}

/**
 * Proves a recording offline, from the text of its file alone, by playing it back: nothing was changed since it was sealed; the
 * commands of the run, carried out on a node in this process, make the recorded blocks; each round trip of the service, executed at
 * the state of its place, gets the recorded replies; and the judges of today say of what was played what was recorded as
 * their verdict. What the venues pay there is what the amounts of quotes and builds are judged by. Of a recording of the reference,
 * `replay` proves the rest: that the service sends these requests and gives these answers when the script is run again.
 *
 * Not proven: who made the recording (a seal is no signature).
 *
 * @throws {RecordingFormatError} the text is no recording of this version.
 * @throws {ContradictionError} the first thing that does not hold, with its entry and field.
 * @throws {NotDemandedError} it has another root or nonce than it must have; no call is executed then.
 * @throws {ChainInDoubtError} the second EVM comes to something else than the recorded node.
 * @throws {OtherWorldError} it was recorded with other contracts, so that nothing can be executed.
 * @throws {GasLimitError} it asks for more execution than is done for one file.
 * What `replay` throws.
 */
export async function verifyRecording(text: string, options?: VerifyOptions): Promise<Verified> {
  return verifyParsed(parseRecording(text), options)
}

/** Returns the same of a recording that was read already. Throws as `verifyRecording` does, but for the form of the text. */
export async function verifyParsed(recording: Recording, options: VerifyOptions = {}): Promise<Verified> {
  const { execute = true, replay, clientTask, onPassed = () => {}, onJudged = () => {} } = options
  const { entries, blobs } = recording
  checkLayout(recording)
  checkPresence(entries)
  onPassed('seal')
  // The second EVM takes a while to load: only who verifies waits for it.
  const second = await import('../execute/executeRecording.ts')
  const playing = await second.playRecording(recording)
  checkAgreement(recording, playing?.played.differences ?? [])
  onPassed('blocks')
  if (isOutside(entries)) {
    checkStart(entries)
    checkLineFaults(entries, blobs, playing?.world.manifest ?? null)
    checkDeclared(entries)
    checkOrder(entries)
    await checkClient(recording, clientTask ?? null)
  }
  checkJudged(entries)
  const ofBlocks = playing && (await second.compareWithBlocks(playing))
  checkReportFacts(entries, playing?.played ?? null)
  onPassed('contents')
  const judged = judgeRecording(entries, recordedHistory(entries))
  checkVerdicts(recording, judged)
  checkClientOutcome(entries, judged)
  onPassed('verdicts')
  checkDemanded(recording, options)
  const verified = summaryOf(recording, judged, null)
  onJudged(verified)
  if (!execute) return verified
  const execution = playing && ofBlocks ? await second.executePlayed(playing, ofBlocks) : second.NOTHING
  checkAgreement(recording, execution.differences)
  const executed = withExecution(verified, execution, (await replay?.(recording)) ?? null)
  onPassed('execution')
  return executed
}

/** @throws {ChainInDoubtError} there is a difference. */
function checkAgreement({ entries }: Recording, differences: readonly Difference[]): void {
  const [first, ...others] = differences
  if (first !== undefined) throw new ChainInDoubtError([first, ...others], !isOutside(entries))
}

/** Returns the same recording, judged by what a second EVM has executed as well. */
function withExecution(
  { recording, judged }: Verified,
  execution: Execution,
  replay: Replayed | null,
): Verified {
  const by = judged.map(({ kind, http, verdicts }) => {
    const executed = http === null ? undefined : execution.verdicts.get(http)
    return { kind, http, verdicts: executed?.map(brief) ?? verdicts }
  })
  return { ...summaryOf(recording, by, execution), replay }
}

/** @throws {NotDemandedError} the recording has another root, or not the nonce that is demanded. */
function checkDemanded(
  { entries, trailer }: Recording,
  { root, nonce }: Pick<VerifyOptions, 'root' | 'nonce'>,
): void {
  if (root !== undefined && trailer.root !== root.toLowerCase())
    throw new NotDemandedError(
      'root',
      `the root is ${trailer.root}, not ${root.toLowerCase()}: another recording, or one that was altered and sealed again`,
      'Do not take this file for the one of that root. Get that one from its source.',
    )
  const { nonce: actual } = only(entries, 'manifest')[1].outside ?? {}
  if (nonce !== undefined && actual !== nonce)
    throw new NotDemandedError(
      'nonce',
      `${actual === undefined ? 'it has no nonce' : `its nonce is ${JSON.stringify(actual)}`}, and ${JSON.stringify(nonce)} is demanded: it may have been made before`,
      'Ask for a recording that was made with `plumbline conform --record DIR --nonce TEXT`, and that text.',
    )
}

/** Returns the same of a recording that was just made: its verdicts are those of the judges of today. */
export function describeMade(recording: Recording): Verified {
  return summaryOf(
    recording,
    positioned(recording.entries, 'verdicts').map(([, verdicts]) => verdicts),
    null,
  )
}

/** Returns what `verifyParsed` refuses of a recording before anything is executed, as a sentence; null: nothing. */
export async function whyRefused(recording: Recording): Promise<string | null> {
  try {
    await verifyParsed(recording, { execute: false })
    return null
  } catch (error) {
    if (!(error instanceof ContradictionError) && !(error instanceof ChainInDoubtError)) throw error
    return error.message
  }
}

function summaryOf(
  recording: Recording,
  judged: readonly DraftOf<'verdicts'>[],
  execution: Execution | null,
): Verified {
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
    failures: verdicts.filter(({ outcome: how }) => how === 'fail').map(inWords),
    outcome,
    absent: describeAbsences(only(entries, 'manifest')[1].outside?.absent ?? []),
    judgedAs: judgedAs(entries),
    judged,
    execution,
    replay: null,
  }
}

function inWords({ requirement: id, expected, actual }: RecordedVerdict): string {
  const known = isRequirementId(id) ? requirement(id) : null
  const clause = known === null ? '' : ` (§${known.section}: "${known.clause}")`
  return `${id}: expected ${expected}, actual ${actual}${clause}`
}
