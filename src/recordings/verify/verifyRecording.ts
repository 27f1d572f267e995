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
  /** True if the calls are executed again in a second EVM, which takes some seconds. Default true. */
  readonly execute?: boolean
  /** The root that the file must have, 64 hexadecimal digits. Default: any. */
  readonly root?: string | undefined
  /** The nonce that the file must hold. Default: any. */
  readonly nonce?: string | undefined
  /** Runs a recording of the reference again; throws if the result differs. Default: it is not run again. */
  readonly replay?: ((recording: Recording) => Promise<Replayed>) | undefined
  /** Returns the task of a client case of this version. Default: the task in the file is believed. */
  readonly clientTask?: ClientTaskOf | undefined
  /** Called after each stage has passed, in order. */
  readonly onPassed?: ((stage: VerifyStage) => void) | undefined
  /** Called with the result before any call is executed. */
  readonly onJudged?: ((verified: Verified) => void) | undefined
}

/** The result of verifying a recording. */
export interface Verified {
  readonly recording: Recording
  /** Numbers of checked entries and verdicts. */
  readonly counts: RecordingCounts
  /** Failed verdicts, as `requirement: expected …, actual … (§…: "clause")`. */
  readonly failures: readonly string[]
  readonly outcome: DraftOf<'outcome'>
  /** The parts that a recording from outside lacks, in words. */
  readonly absent: readonly string[]
  /** The basis of the verdicts on a service from outside; null: the service is the reference. */
  readonly judgedAs: JudgedAs | null
  /**
   * The current verdicts: on each quote and build, then on all reports together. If a second EVM executed the recording, they
   * include the amounts of each quote and build.
   */
  readonly judged: readonly DraftOf<'verdicts'>[]
  /** The execution by a second EVM, without differences; null: not executed. */
  readonly execution: Execution | null
  /** The result of running it again; null: not run again. */
  readonly replay: Replayed | null
}

/**
 * Proves a recording offline, from the text of its file alone, by playing it back: nothing was changed since it was sealed; the
 * commands of the run, executed on a node in this process, mine the recorded blocks; each round trip of the service, executed
 * on the state at its place, gets the recorded replies; and the current judges give the recorded verdicts. The amounts of
 * quotes and builds are judged by the executed venues. For a recording of the reference, `replay` proves the rest: the script
 * gives the same requests and answers when it is run again.
 *
 * Not proven: the maker of the recording, as a seal is not a signature.
 *
 * @throws {RecordingFormatError} the text is not a recording of this version.
 * @throws {ContradictionError} the first contradiction, with its entry and field.
 * @throws {NotDemandedError} the root or nonce is not the demanded one; no call is executed then.
 * @throws {ChainInDoubtError} the second EVM disagrees with the recorded node.
 * @throws {OtherWorldError} it was recorded with other contracts, so nothing can be executed.
 * @throws {GasLimitError} the execution exceeds the limit for one file.
 * @throws the errors of `replay`.
 */
export async function verifyRecording(text: string, options?: VerifyOptions): Promise<Verified> {
  return verifyParsed(parseRecording(text), options)
}

/** Verifies a parsed recording. Throws the errors of `verifyRecording` except `RecordingFormatError`. */
export async function verifyParsed(recording: Recording, options: VerifyOptions = {}): Promise<Verified> {
  const { execute = true, replay, clientTask, onPassed = () => {}, onJudged = () => {} } = options
  const { entries, blobs } = recording
  checkLayout(recording)
  checkPresence(entries)
  onPassed('seal')
  // Imported here because the second EVM takes a while to load.
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

/** Adds the verdicts of the execution. */
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

/** @throws {NotDemandedError} the recording does not have the demanded root or nonce. */
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

/** Describes a recording that was just made, whose verdicts are current. */
export function describeMade(recording: Recording): Verified {
  return summaryOf(
    recording,
    positioned(recording.entries, 'verdicts').map(([, verdicts]) => verdicts),
    null,
  )
}

/** Returns the reason why `verifyParsed` refuses a recording without executing its calls; null: it does not. */
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
