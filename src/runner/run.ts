import { once } from 'node:events'
import { type Excuse, updatedBaseline } from '../reporting/baseline.ts'
import type { Baseline } from '../reporting/baselineFormat.ts'
import type { Floor, Results, ShardOfRun } from '../reporting/results.ts'
import type { Verdicts } from '../reporting/verdicts.ts'
import type { ServiceSeams } from '../service/testing.ts'
import { PlumblineError } from '../spec/errors.ts'
import { changeTexts, type Redact, redactData, redactorOf } from '../spec/secrets/redact.ts'
import { keepCases } from '../targets/kept.ts'
import { openTarget, secretsOf } from '../targets/open.ts'
import type { WatchedStart } from '../targets/outside.ts'
import type { KeptTarget, TargetSession } from '../targets/session.ts'
import type { Case } from './case.ts'
import type { CaseRecordings } from './caseRecordings.ts'
import { endsAt, stopAfter } from './deadline.ts'
import { lanesForWaits } from './deal.ts'
import { inRunOrder, type Plan, type PlanRequest, planRun } from './plan.ts'
import { caseEnds, resultOf, verdictsOf } from './result.ts'
import { type CaseResult, runCases } from './runCases.ts'
import type { Shard } from './shard.ts'

/** Two worlds of the reference: one computes while the other waits for its chain. */
const REFERENCE_LANES = 2
/** A second world takes as long to start as so many cases take to run. */
const SHARED_CASES_MIN = 12

/** Everything that decides a run. */
export interface RunRequest extends PlanRequest {
  /** The command, as the result names it. */
  readonly command: string
  readonly seed: number
  /** How long all cases together may take. Default: half an hour. */
  readonly timeoutS?: number
  /** Ends the run after the first failure. */
  readonly bail?: boolean
  /** Whether a convention that is not kept counts as a failure. Default: it is only reported. */
  readonly strict?: boolean
  readonly baseline?: BaselineRequest | null
  /** Runs the cases of one shard, and leaves to the merged run what only a whole one can judge. */
  readonly shard?: Shard & Pick<ShardOfRun, 'replay' | 'flags'>
  /** The command line that runs one case again. */
  readonly replay: (testCase: Pick<Case, 'id'>) => string
  readonly progress?: RunProgress
  /** What is changed in the reference. Default: nothing. */
  readonly seams?: ServiceSeams
  /** Takes over the target after the last case, for as long as it likes. Default: the target ends with the run. */
  readonly keep?: (kept: KeptRun) => void
  /** Where a target is started again whenever it changes. */
  readonly watch?: RunWatch
  /**
   * How many copies of a started target run cases side by side; as many as there are cases at most. `auto`: as many as the
   * waits of the cases call for; that the copies share nothing is then only assumed. Default: one.
   */
  readonly instances?: number | 'auto'
  /** Records the cases of a target that is reached from outside. Default: nothing is recorded. */
  readonly record?: Pick<CaseRecordings, 'tap' | 'heard'>
  /** How the cases are run. Default: on the lanes of the target. */
  readonly execute?: Execute
}

/** Runs the cases of a request: on the lanes of a target, or on a pool of workers. */
export type Execute = (request: RunRequest) => Promise<Executed>

/** What the cases of a run came to, and what is known of their target. */
export interface Executed {
  readonly target: Pick<TargetSession, 'name' | 'baseUrl' | 'reach' | 'capabilities' | 'secrets'>
  readonly suites: readonly { readonly name: string; readonly cases: readonly CaseResult[] }[]
  /** How often states or classes of cases were met that must be met. Default: none. */
  readonly floors?: readonly Floor[]
  /** Whether every case was chosen, so that a requirement without evidence is a gap. */
  readonly whole: boolean
}

/** A target that stays up after its run, until `end`. */
export interface KeptRun extends KeptTarget {
  /** The only case that ran: the chain is as it left it. Null: several ran, and the chain is as before the first. */
  readonly leftBy: string | null
  end(): Promise<void>
}

/** A run that is one of many, each of which ends at once where its signal says so. */
export interface RunWatch extends WatchedStart {
  /** Cases of a lower rank run first, but those that use something up always last. */
  rank(testCase: Pick<Case, 'id' | 'waitsS'>): number
  /** Gets each case when it ends, with what the target sent: its secrets are still in it. */
  onResult(result: CaseResult): void
}

/** A run was given up, and says nothing. */
export class RunGivenUpError extends PlumblineError {
  override readonly name = 'RunGivenUpError'
  constructor() {
    super('the run was given up', 'Run it again.')
  }
}

/** Known failures, and the day on which they are compared, as YYYY-MM-DD. */
export interface BaselineRequest {
  readonly known: Baseline
  readonly today: string
  /** Writes how the cases end into the baseline before they are compared: what to say of new ones. */
  readonly update?: Excuse
}

/** Shows how far a run is. */
export interface RunProgress {
  /** @param total How many cases, parts or scripts are run. */
  start(total: number): void
  /** @param what Every case that runs now, those that began first in front; called when one begins or ends. */
  running(what: readonly string[]): void
  /** @param what The case that ended. */
  step(what: string): void
  /** Something that stays to be read, whatever else is shown. */
  notice(text: string): void
  end(): void
}

/** What a run came to. Neither text holds a secret of the target. */
export interface Outcome {
  readonly result: Results
  readonly verdicts: Verdicts
  /** The baseline that the result was compared with, updated where that was requested. */
  readonly baseline: Baseline | null
  /** Where the target listens or listened. */
  readonly baseUrl: string
}

/** The only way in which cases are run: plans, runs, tallies, compares with the baseline, decides. */
export async function runSuites(request: RunRequest): Promise<Outcome> {
  const { execute = executeOnLanes, progress } = request
  try {
    return outcomeOf(request, await execute(request))
  } catch (error) {
    throw shownError(request, error)
  } finally {
    progress?.end()
  }
}

/** Starts the target of a request, or connects to it. The caller ends it. Errors hold no secret of it. */
export async function openRun(request: RunRequest, lanes = lanesOf(request)): Promise<TargetSession> {
  const { target, options, seed, seams = {}, watch, instances, record } = request
  try {
    const watched = {
      ...(watch === undefined ? {} : { watch }),
      ...(record === undefined ? {} : { tap: () => record.tap() }),
    }
    return await openTarget(target, options, {
      seed,
      seams,
      lanes,
      copiesAreAssumed: instances === 'auto',
      endsAtMs: endsAt(request.timeoutS),
      ...watched,
    })
  } catch (error) {
    throw shownError(request, error)
  }
}

/** How many lanes cases are run in: what would be idle is not started. */
function lanesOf({ bail = false, ...request }: RunRequest): number {
  const runnable = casesOf(planRun(request)).flatMap(({ testCase, notApplicable }) =>
    notApplicable === null ? [testCase] : [],
  )
  const { instances = 1 } = request
  const wanted =
    request.target === 'reference'
      ? worldsFor(runnable)
      : instances === 'auto'
        ? lanesForWaits(runnable)
        : instances
  return bail ? 1 : Math.max(1, Math.min(wanted, runnable.length))
}

/** In how many worlds the reference runs these cases; those of a group take longer than others. */
function worldsFor(cases: readonly Case[]): number {
  const isLong = cases.length >= SHARED_CASES_MIN || cases.some(({ group }) => group !== undefined)
  return isLong ? REFERENCE_LANES : 1
}

const casesOf = ({ suites }: Plan) => suites.flatMap(({ planned }) => planned)

function shownError({ target, options }: RunRequest, error: unknown): unknown {
  return changeTexts(error, redactorOf(secretsOf(target, options)))
}

/**
 * Runs the cases of a request in this process, on the lanes of its target.
 *
 * @param lanes how many; with one, the cases run in the same order each time. Default: as many as the cases call for.
 */
export async function executeOnLanes(request: RunRequest, lanes?: number): Promise<Executed> {
  const { progress, bail = false, strict = false, replay, watch, record } = request
  const endsAtMs = endsAt(request.timeoutS)
  progress?.start(casesOf(planRun(request)).length)
  const session = await openRun(request, lanes)
  const redact = redactorOf(session.secrets)
  for (const notice of session.notices) progress?.notice(redact(notice))
  let kept: KeptRun | null = null
  try {
    // What the target offers is certain only now.
    const plan = planRun(request, session)
    const running = runCases(session, inRunOrder(casesOf(plan), watch?.rank), {
      bail,
      strict,
      replay,
      stop: () => (watch?.signal.aborted ? 'skipped: the run was given up' : stopAfter(endsAtMs)),
      onRunning: (ids) => {
        if (!watch?.signal.aborted) progress?.running(ids)
      },
      onHeard: (tap, result) => record?.heard(tap, result),
      onNotice: (notice) => progress?.notice(redact(notice)),
      onResult: (result) => {
        progress?.step(result.id)
        if (!watch?.signal.aborted) watch?.onResult(result)
      },
    })
    const results = await (watch === undefined ? running : unlessGivenUp(running, watch.signal))
    if (request.keep !== undefined) kept = await keepSession(session, plan, request.progress)
    return executed(session, plan, results)
  } finally {
    if (kept === null) await session.end()
    else request.keep?.(kept)
  }
}

/** A case that is given up may wait for long: nobody waits for it. */
async function unlessGivenUp<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  const givenUp = once(signal, 'abort').then(() => {
    throw new RunGivenUpError()
  })
  if (signal.aborted) throw new RunGivenUpError()
  return Promise.race([running, givenUp])
}

/** What stays up of a target, with its chain as after its only case or as before the first; null: it cannot. */
async function keepSession(
  session: TargetSession,
  plan: Plan,
  progress: RunRequest['progress'],
): Promise<KeptRun | null> {
  const ran = casesOf(plan).filter(({ notApplicable }) => notApplicable === null)
  const leftBy = ran.length === 1 ? (ran[0]?.testCase.id ?? null) : null
  try {
    const kept = await session.keep(leftBy === null)
    return { ...kept, leftBy, end: () => session.end() }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    progress?.notice(redactorOf(session.secrets)(`--keep: nothing is kept: ${problem}`))
    return null
  }
}

/** The results of a plan's cases by suite; without a result for each of them the run is not whole. */
export function executed(target: Executed['target'], plan: Plan, results: readonly CaseResult[]): Executed {
  const byId = new Map(results.map((result) => [result.id, result]))
  return {
    target,
    suites: plan.suites.map(({ name, planned, skipped }) => ({
      name,
      cases: [
        ...planned.flatMap(({ testCase }) => byId.get(testCase.id) ?? []),
        ...skipped.map(skippedResult),
      ],
    })),
    whole: plan.whole && results.length === plan.suites.flatMap(({ planned }) => planned).length,
  }
}

/** Texts of a case that are not the target's: a key like `pass` must not change them. */
const OURS: ReadonlySet<string> = new Set([
  'id',
  'title',
  'requirements',
  'requirement',
  'status',
  'blame',
  'key',
  'obstacle',
])
/** Objects of a case whose member names are the target's. */
const NAMED_BY_TARGET: ReadonlySet<string> = new Set(['headers'])

/** The result of a case without the secrets of its target. */
export function redactCase(result: CaseResult, redact: Redact): CaseResult {
  return redactData(result, redact, OURS, NAMED_BY_TARGET)
}

/**
 * What executed cases come to: tallied, compared with the baseline, decided. Secrets of the target are taken out before
 * anything is made of the cases: every file, every printed line and every fingerprint is made of what is left.
 */
export function outcomeOf(request: RunRequest, { target, floors, whole, ...executed }: Executed): Outcome {
  const { baseline = null } = request
  const redact = redactorOf(target.secrets)
  const all = executed.suites.flatMap((suite) => suite.cases)
  // What is cut is redacted first: half a key would not be recognised.
  const cases = keepCases(all.map((one) => redactCase(one, redact)))
  let at = 0
  const suites = executed.suites.map((suite) => {
    const from = at
    at += suite.cases.length
    return { name: suite.name, cases: cases.slice(from, at) }
  })
  const known =
    baseline?.update === undefined
      ? (baseline?.known ?? null)
      : updatedBaseline(caseEnds(cases), baseline.known, baseline.update, baseline.today)
  const result = resultOf({
    command: request.command,
    target: redact(target.name),
    seed: request.seed,
    profile: target.reach,
    capabilities: target.capabilities,
    suites,
    whole,
    floors: floors ?? [],
    baseline: known === null || baseline === null ? null : { known: explained(known), today: baseline.today },
    shard: shardOfRun(request),
  })
  return { result, verdicts: verdictsOf(result), baseline: known, baseUrl: redact(target.baseUrl) }
}

/** What of a baseline excuses: an updated one holds new entries without a reason, until it is refused. */
function explained({ schema, entries }: Baseline): Baseline {
  return { schema, entries: entries.filter(({ reason, link, expires }) => reason && link && expires) }
}

/** What merging needs of a shard; undefined for a whole run. */
function shardOfRun(request: RunRequest): ShardOfRun | undefined {
  const { shard, target, baseline = null } = request
  if (shard === undefined) return undefined
  const { shard: _, ...unsharded } = request
  const whole = planRun(unsharded)
  return {
    ...shard,
    flags: [...shard.flags],
    targetKind: typeof target === 'string' ? target : kindOf(target),
    whole: whole.whole,
    plan: whole.suites.map(({ name, planned, skipped }) => ({
      name,
      cases: [...planned.map(({ testCase }) => testCase), ...skipped].map(({ id }) => id),
    })),
    baseline: baseline === null ? null : { known: baseline.known, today: baseline.today },
  }
}

function kindOf(target: Exclude<RunRequest['target'], 'reference'>): ShardOfRun['targetKind'] {
  if ('serve' in target) return 'serve'
  return 'start' in target ? 'start' : 'url'
}

function skippedResult({ id, title, requirements }: Case): CaseResult {
  const notes = ['skipped: --skip']
  return { id, title, requirements, status: 'skipped', exercised: 0, notes, judged: [], failure: null }
}
