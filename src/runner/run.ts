import { updatedBaseline } from '../reporting/baseline.ts'
import type { Baseline, BaselineEntry } from '../reporting/baselineFormat.ts'
import type { Results } from '../reporting/results.ts'
import type { Verdicts } from '../reporting/verdicts.ts'
import { liveTime } from '../targets/liveTime.ts'
import type { Means } from '../targets/means.ts'
import { meansOf, openTarget, type Target, type TargetOptions } from '../targets/open.ts'
import { redactorOf } from '../targets/redact.ts'
import type { TargetSession } from '../targets/session.ts'
import type { Case } from './case.ts'
import { type PlannedCase, planCases } from './plan.ts'
import { caseVerdicts, resultOf, verdictsOf } from './result.ts'
import { runSession } from './runSession.ts'
import { select } from './select.ts'
import type { CaseResult } from './suite.ts'

/** Two worlds of the reference: one computes while the other waits for its chain. */
const REFERENCE_LANES = 2
const TIMEOUT_S = 1_800
const SECOND_MS = 1_000

/** Cases that belong together in the result. */
export interface Suite {
  readonly name: string
  /** The cases of these ids, or all of them: properties that are not selected are not judged along the way. */
  readonly cases: (ids: ReadonlySet<string> | null) => readonly Case[]
}

/** Everything that decides a run. */
export interface RunRequest {
  /** The command, as the result names it. */
  readonly command: string
  readonly suites: readonly Suite[]
  readonly target: Target
  readonly options: TargetOptions
  readonly seed: number
  /** Patterns of cases to run, and of cases to leave out; see `select`. Default: every case, and none. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  /** How long all cases together may take. Default: half an hour. */
  readonly timeoutS?: number
  /** Ends the run after the first failure. */
  readonly bail?: boolean
  readonly baseline?: BaselineRequest | null
  /** The command line that runs one case again. */
  readonly replay: (testCase: Case) => string
  /** What to do about a pattern that selects nothing. */
  readonly advice?: (pattern: string) => string
  readonly progress?: RunProgress
}

/** Known failures, and the day on which they are compared, as YYYY-MM-DD. */
export interface BaselineRequest {
  readonly known: Baseline
  readonly today: string
  /** Writes the failures of this run into the baseline before they are compared: what to say of new ones. */
  readonly update?: Pick<BaselineEntry, 'reason' | 'link' | 'expires'>
}

/** Who shows how far a run is. */
export interface RunProgress {
  start(cases: number): void
  /** @param id The case that ended. */
  step(id: string): void
  end(): void
}

/** The cases of a run, before it starts. */
export interface Plan {
  readonly suites: readonly {
    readonly name: string
    readonly planned: readonly PlannedCase[]
    /** Left out by `skip`. */
    readonly skipped: readonly Case[]
  }[]
  /** Whether every case was chosen or skipped, so that a requirement without evidence is a gap. */
  readonly whole: boolean
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

/**
 * Decides which cases run and which are skipped.
 *
 * @param means What the run can use; default: what the request says of its target.
 * @throws {UsageError} a pattern selects nothing, or the options contradict each other.
 */
export function planRun(request: RunRequest, means: Means = meansOf(request.target, request.options)): Plan {
  const { suites, only = [], skip = [], advice } = request
  const all = suites.flatMap(({ cases }) => cases(null))
  const selecting = advice === undefined ? {} : { advice }
  const skipped = new Set(skip.length === 0 ? [] : select(all, skip, selecting).map(({ id }) => id))
  const chosen = only.length === 0 ? null : new Set(select(all, only, selecting).map(({ id }) => id))
  return {
    suites: suites.map(({ name, cases }) => {
      const mine = cases(chosen)
      return {
        name,
        planned: planCases(
          mine.filter(({ id }) => !skipped.has(id)),
          means,
        ),
        skipped: mine.filter(({ id }) => skipped.has(id)),
      }
    }),
    whole: chosen === null,
  }
}

/** Starts the target of a request, or connects to it. The caller ends it. */
export function openRun(request: RunRequest, lanes = REFERENCE_LANES): Promise<TargetSession> {
  return openTarget(request.target, request.options, { seed: request.seed, lanes, endsAtMs: endOf(request) })
}

/** The only way in which cases are run: plans, starts the target, runs, tallies, compares with the baseline, decides. */
export async function runSuites(request: RunRequest): Promise<Outcome> {
  const { progress, bail = false, replay } = request
  const endsAtMs = endOf(request)
  progress?.start(planRun(request).suites.flatMap(({ planned }) => planned).length)
  let session: TargetSession | null = null
  try {
    session = await openRun(request)
    // What the target offers is certain only now.
    const plan = planRun(request, session)
    const results = await runSession(
      session,
      plan.suites.flatMap(({ planned }) => planned),
      {
        bail,
        replay,
        stop: () => (liveTime.nowMs() < endsAtMs ? null : 'skipped: --timeout reached'),
        onResult: ({ id }) => progress?.step(id),
      },
    )
    return outcomeOf(request, session, plan, results)
  } finally {
    progress?.end()
    await session?.end()
  }
}

function endOf({ timeoutS = TIMEOUT_S }: RunRequest): number {
  return liveTime.nowMs() + timeoutS * SECOND_MS
}

/** What the results of a plan's cases come to; without a result for each of them the run is not whole. */
export function outcomeOf(
  request: RunRequest,
  session: TargetSession,
  plan: Plan,
  results: readonly CaseResult[],
): Outcome {
  const byId = new Map(results.map((result) => [result.id, result]))
  const suites = plan.suites.map(({ name, planned, skipped }) => ({
    name,
    cases: [...planned.flatMap(({ testCase }) => byId.get(testCase.id) ?? []), ...skipped.map(skippedResult)],
  }))
  const { baseline = null } = request
  const known =
    baseline?.update === undefined
      ? (baseline?.known ?? null)
      : updatedBaseline(caseVerdicts(results), baseline.known, baseline.update)
  const result = resultOf({
    command: request.command,
    target: session.name,
    seed: request.seed,
    profile: session.reach,
    capabilities: session.capabilities,
    suites,
    whole: plan.whole && results.length === plan.suites.flatMap(({ planned }) => planned).length,
    baseline: known === null || baseline === null ? null : { known, today: baseline.today },
  })
  const redact = redactorOf(session.secrets)
  const clean = <T>(value: T): T => JSON.parse(redact(JSON.stringify(value)))
  return {
    result: clean(result),
    verdicts: clean(verdictsOf(result)),
    baseline: known,
    baseUrl: session.baseUrl,
  }
}

function skippedResult({ id, title, requirements }: Case): CaseResult {
  const notes = ['skipped: --skip']
  return { id, title, requirements, status: 'skipped', exercised: 0, notes, judged: [], failure: null }
}
