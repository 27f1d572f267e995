import { PlumblineError } from '../spec/errors.ts'
import type { RequirementId } from '../spec/requirements/index.ts'
import { type Redact, redactorOf } from '../spec/secrets/redact.ts'
import { againOf } from '../targets/again.ts'
import { type Blame, BlamedError, type BrokenPromise, PromiseBrokenError } from '../targets/blame.ts'
import { type Environment, withParts } from '../targets/environment.ts'
import { createEvidenceRecorder, type Judged } from '../targets/evidence.ts'
import { type Exchange, redact } from '../targets/exchange.ts'
import { KEPT, keepText } from '../targets/kept.ts'
import { liveTime } from '../targets/liveTime.ts'
import type { Lane, Runner, TargetSession } from '../targets/session.ts'
import type { Tap } from '../targets/tap.ts'
import type { WaitedMs } from '../targets/waits.ts'
import { afterCopies } from './afterCopies.ts'
import type { Case, CaseEvidence } from './case.ts'
import { dealCases } from './deal.ts'
import { type PlannedCase, usesUp } from './plan.ts'
import { resultsInOrder } from './resultsInOrder.ts'
import type { Json } from './shrinkJson.ts'
import { isWell, runUnit, takeUnit } from './units.ts'
import { withoutChain } from './withoutChain.ts'

/**
 * How a case ended. `observed`: only silent points, nothing that could fail. `not-applicable`: the target does not
 * declare, does not do though it need not, or the environment does not offer, what the case needs. `skipped`: left out by
 * choice.
 * `inconclusive` never blames the target.
 */
export type Status = 'pass' | 'fail' | 'observed' | 'not-applicable' | 'skipped' | 'inconclusive'

/** The result of one run of a case. */
export interface CaseResult {
  readonly id: string
  readonly title: string
  readonly requirements: readonly RequirementId[]
  readonly status: Status
  /** How many times the case exercised the target. */
  readonly exercised: number
  readonly notes: readonly string[]
  /** The verdicts that were really given, by requirement. */
  readonly judged: readonly Judged[]
  readonly failure: CaseFailure | null
  /** How long it took, in real time; absent where it was not run. */
  readonly durationMs?: number
  /** How much of it was waited for what, where time is real; absent: nothing was. */
  readonly waitedMs?: WaitedMs
}

export interface CaseFailure {
  readonly blame: Blame
  readonly requirement: RequirementId | null
  readonly message: string
  readonly expected: string
  /** What there was instead: of the target's, or what kept the case from its end. */
  readonly seen: string
  /** The last exchanges before the failure, keys redacted. */
  readonly exchanges: readonly Exchange[]
  readonly replay: string
  /** The other promises that the same exchange breaks, each by itself; absent where there are none. */
  readonly others?: readonly BrokenPromise[]
  /** The smallest generated case that fails; absent where no case was generated. */
  readonly counterexample?: Json
}

/** A case that ended well refused something, and was not served the same without the mistake. */
class TwinUnservedError extends PlumblineError {
  override readonly name = 'TwinUnservedError'
  constructor(requirements: readonly RequirementId[]) {
    super(
      `${requirements.join(', ')}: refused, but the same request without the mistake was not served`,
      'Send the twin of the refusal in the same case; see docs/authoring.md.',
    )
  }
}

/**
 * Runs one case in the environment that `enter` makes for it, and judges how it ended. A case that exercised nothing is
 * inconclusive: no evidence was collected; unless it says that it does not apply to the target. Never throws for what a target does.
 *
 * @param options.transcript Exchanges so far; the last ones are a failure's evidence.
 * @param options.replay The command line that runs just this case.
 */
export async function runCase(
  testCase: Case,
  options: {
    readonly enter: () => Promise<Environment>
    readonly transcript: () => readonly Exchange[]
    readonly replay: (testCase: Case) => string
    /** Whether conventions count. Default: they do not. */
    readonly strict?: boolean
    /** Takes the target's secrets out of what is cut. Default: it has none. */
    readonly redact?: Redact
  },
): Promise<CaseResult> {
  const { id, title, requirements, uses } = testCase
  const about = { id, title, requirements }
  const { redact: redactText = (text) => text } = options
  const keep = (text: string) => keepText(text, redactText)
  const keepNotes = (notes: readonly string[]) => notes.slice(0, KEPT.notes).map(keep)
  const recorder = createEvidenceRecorder(options.strict ?? false, redactText)
  let environment: Environment | null = null
  try {
    const entered = withParts(await options.enter(), uses)
    environment = entered
    const evidence = await recorder.collect(() => testCase.run(entered))
    const unserved = recorder.unserved()
    if (unserved.length > 0) throw new TwinUnservedError(unserved)
    const judged = recorder.judged()
    return {
      ...about,
      status: statusOf(evidence, judged),
      exercised: evidence.exercised,
      notes:
        evidence.exercised === 0
          ? [keep(evidence.notApplicable ?? 'nothing was exercised')]
          : keepNotes(evidence.notes ?? []),
      judged,
      failure: null,
    }
  } catch (error) {
    const broken = error instanceof PromiseBrokenError ? error : null
    const blame = broken ? 'target' : error instanceof BlamedError ? error.blame : 'harness'
    return {
      ...about,
      status: broken ? 'fail' : 'inconclusive',
      exercised: 0,
      notes: keepNotes(broken?.notes ?? []),
      judged: recorder.judged(),
      failure: {
        blame,
        requirement: broken?.requirement ?? null,
        message: keep(messageOf(error, broken !== null)),
        ...keepDifference(error, keep),
        exchanges: environment === null ? [] : exchangesOf(options.transcript(), environment, uses),
        replay: options.replay(testCase),
        ...keepOthers(broken?.others ?? [], keep),
        ...(broken?.counterexample == null ? {} : { counterexample: broken.counterexample as Json }),
      },
    }
  }
}

/** The last exchanges of a case, fit to be shown, with what it takes to send each again. */
function exchangesOf(
  transcript: readonly Exchange[],
  environment: Environment,
  uses: Case['uses'],
): readonly Exchange[] {
  const from = Math.max(0, transcript.length - KEPT.exchanges)
  return transcript.slice(from).map((exchange, index) => ({
    ...redact(exchange),
    again: againOf(exchange, transcript.slice(0, from + index), environment, uses),
  }))
}

function keepOthers(
  others: readonly BrokenPromise[],
  keep: (text: string) => string,
): Pick<CaseFailure, 'others'> {
  if (others.length === 0) return {}
  const kept = others.map(({ requirement, expected, seen }) => ({
    requirement,
    expected: keep(expected),
    seen: keep(seen),
  }))
  return { others: kept }
}

/** A failure says what was expected and what there was, also where it blames no target. */
function keepDifference(
  error: unknown,
  keep: (text: string) => string,
): Pick<CaseFailure, 'expected' | 'seen'> {
  if (error instanceof PromiseBrokenError) return { expected: keep(error.expected), seen: keep(error.seen) }
  const expected = error instanceof BlamedError ? error.expected : 'a case that Plumbline can judge'
  return { expected, seen: keep(error instanceof Error ? error.message : String(error)) }
}

/** The advice is for whoever fixes the run, not for whoever fixes the target. */
function messageOf(error: unknown, isBroken: boolean): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof PlumblineError)) return error.stack ?? error.message
  return isBroken ? error.message : `${error.message}\n${error.advice}`
}

function statusOf({ exercised, notApplicable }: CaseEvidence, judged: readonly Judged[]): Status {
  if (exercised === 0) return notApplicable === undefined ? 'inconclusive' : 'not-applicable'
  const onlyObserved = judged.length > 0 && judged.every(({ passed, failed }) => passed + failed === 0)
  return onlyObserved ? 'observed' : 'pass'
}

export interface RunOptions {
  readonly replay: (testCase: Case) => string
  /** Whether a case fails for a convention that is not kept. Default: it does not. */
  readonly strict?: boolean
  /** Ends the run after the first case that fails. */
  readonly bail: boolean
  /** Called before each case: why no more are run; null to go on. */
  readonly stop: () => string | null
  /** Called when a case begins or ends: the ids of all that run now, those that began first in front. */
  readonly onRunning?: (ids: readonly string[]) => void
  readonly onResult?: (result: CaseResult) => void
  /** Called when a case has ended that a tap listened to. */
  readonly onHeard?: (tap: Tap, result: CaseResult) => void
  /** Called with what whoever runs it should know. */
  readonly onNotice?: (notice: string) => void
  /** Called at the end of a run that ended early: why the cases without a result were not run. */
  readonly onOver?: (reason: string) => void
  /** The time by which cases are measured. Default: the machine's. */
  readonly nowMs?: () => number
}

/**
 * Runs the planned cases against a target, shared out among its lanes, and returns their results in the order of the plan.
 * Never throws for what a target does.
 */
export async function runCases(
  { lanes, later = [], secrets, casesAreDealt = false, copiesAreAssumed = false }: TargetSession,
  planned: readonly PlannedCase[],
  {
    replay,
    strict = false,
    bail,
    stop,
    onRunning,
    onResult,
    onHeard,
    onNotice,
    onOver,
    nowMs = liveTime.nowMs,
  }: RunOptions,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = []
  const redactSecrets = redactorOf(secrets)
  const waiting = planned
    .filter(({ notApplicable }) => notApplicable === null)
    .map(({ testCase }) => testCase)
  // With one lane the cases up to the first failure are the same each time.
  const working = [...lanes, ...later].slice(0, bail ? 1 : undefined)
  const hands = casesAreDealt ? dealCases(waiting, working.length).map((hand) => [...hand]) : null
  let over: string | null = null
  const running = new Set<string>()
  const run = async (runner: Runner, testCase: Case): Promise<CaseResult> => {
    onRunning?.([...running.add(testCase.id)])
    const startedMs = nowMs()
    const result = await runCase(testCase, {
      enter: () => runner.enter(),
      transcript: () => runner.transcript(),
      replay,
      strict,
      redact: redactSecrets,
    })
    if (runner.tap !== undefined) onHeard?.(runner.tap, result)
    const waitedMs = runner.waitedMs?.() ?? {}
    const durationMs = Math.max(0, nowMs() - startedMs)
    running.delete(testCase.id)
    onRunning?.([...running])
    return { ...result, durationMs, ...(Object.keys(waitedMs).length === 0 ? {} : { waitedMs }) }
  }
  const keep = async (lane: Lane, result: CaseResult): Promise<void> => {
    // A response while the chain is gone says nothing about the target.
    const trouble = isWell(result) ? null : await lane.trouble()
    const judged = trouble === null ? result : withoutChain(result, trouble)
    results.push(judged)
    onResult?.(judged)
    if (trouble !== null) over = `skipped: the chain is gone: ${trouble}`
    else if (bail && judged.status === 'fail') over = 'skipped: --bail'
  }
  // Side by side copies of a service may be too slow for a case, or share something: it is run again once the others are done.
  const isUnclear = ({ id, status }: CaseResult) =>
    hands !== null &&
    working.length > 1 &&
    (status === 'inconclusive' || (copiesAreAssumed && status === 'fail')) &&
    !waiting.some((testCase) => testCase.id === id && usesUp(testCase))
  const unclear: { readonly lane: Lane; readonly result: CaseResult }[] = []
  const left: Case[] = []
  const begin = async (lane: Lane | Promise<Lane>, index: number): Promise<void> => {
    const own = hands?.[index] ?? waiting
    const started = await Promise.resolve(lane).catch((error: Error) => {
      if (!copiesAreAssumed) throw error
      onNotice?.(`copy ${index + 1} of the service did not start, the first runs its cases: ${error.message}`)
      return null
    })
    if (started === null) left.push(...own)
    else await work(started, index, own)
  }
  const work = async (lane: Lane, index: number, own: Case[]): Promise<void> => {
    // Neighbours may share work, as the properties of a family do: lanes that start at opposite ends do not wait for it.
    const next = () =>
      takeUnit(own, hands !== null || index % 2 === 0 ? own.shift() : own.pop(), bail ? {} : lane)
    for (let unit = next(); unit.length > 0; unit = next()) {
      over ??= stop()
      if (over !== null) return
      for (const result of await runUnit(lane, unit, run)) {
        if (isUnclear(result) && (await lane.trouble()) === null) unclear.push({ lane, result })
        else await keep(lane, result)
      }
    }
  }
  await Promise.all(working.map(begin))
  for (const lane of lanes.slice(0, 1)) await work(lane, 0, left)
  for (const { lane, result } of unclear) {
    over ??= stop()
    const testCase = waiting.find(({ id }) => id === result.id)
    const isRunAgain = over === null && testCase !== undefined
    await keep(lane, isRunAgain ? afterCopies(result, await run(lane, testCase)) : result)
  }
  if (over !== null) onOver?.(over)
  return resultsInOrder(planned, results, over)
}
