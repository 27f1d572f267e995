import { once } from 'node:events'
import { PlumblineError } from '../../spec/errors.ts'
import { changeTexts, redactorOf } from '../../spec/secrets/redact.ts'
import { openTarget, secretsOf } from '../../targets/open.ts'
import { realTime } from '../../targets/realTime.ts'
import type { TargetSession } from '../../targets/session.ts'
import type { Case } from '../cases/case.ts'
import { lanesForWaits } from '../cases/deal.ts'
import { type CaseWorker, type RunOptions, runCases } from '../cases/runCases.ts'
import { inRunOrder, type Plan, planRun } from '../plan/plan.ts'
import { executed, outcomeOf } from '../verdict/outcome.ts'
import type { Executed, KeptRun, RunRequest } from './runRequest.ts'

/** Number of worlds of the reference: one computes while the other waits for its chain. */
const REFERENCE_LANES = 2
/** A second world takes as long to start as this many cases take to run. */
const SHARED_CASES_MIN = 12

const TIMEOUT_S = 1_800
const SECOND_MS = 1_000

/** The run was given up, and has no result. */
export class RunGivenUpError extends PlumblineError {
  override readonly name = 'RunGivenUpError'
  constructor() {
    super('the run was given up', 'Run it again.')
  }
}

/** Starts the target of a request, or connects to it. The caller ends it. Errors contain none of its secrets. */
export async function openRun(request: RunRequest, lanes = lanesOf(request)): Promise<TargetSession> {
  const { target, options, seed, seams = {}, client = {}, watch, instances, record } = request
  try {
    const watched = {
      ...(watch === undefined ? {} : { watch }),
      ...(record === undefined ? {} : { tap: () => record.tap() }),
    }
    return await openTarget(target, options, {
      seed,
      seams,
      client,
      lanes,
      copiesAreAssumed: instances === 'auto',
      endsAtMs: endsAt(request),
      ...watched,
    })
  } catch (error) {
    throw shownError(request, error)
  }
}

/** Returns the time by which all cases of a run must have begun, in epoch milliseconds. */
function endsAt({ timeoutS = TIMEOUT_S }: RunRequest): number {
  return realTime.nowMs() + timeoutS * SECOND_MS
}

/**
 * Returns the number of lanes in which cases run: none that would be idle. With `bail` it is one, so that the cases up to the
 * first failure are the same each time; but all the copies that the user requested are used.
 */
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
  const isOne = bail && (request.target === 'reference' || instances === 'auto')
  return isOne ? 1 : Math.max(1, Math.min(wanted, runnable.length))
}

/** Returns the number of worlds in which the reference runs these cases; those of a group take longer than others. */
function worldsFor(cases: readonly Case[]): number {
  const isLong = cases.length >= SHARED_CASES_MIN || cases.some(({ group }) => group !== undefined)
  return isLong ? REFERENCE_LANES : 1
}

const casesOf = ({ suites }: Plan) => suites.flatMap(({ planned }) => planned)

/** Returns the error without the secrets of the run's target. */
export function shownError({ target, options }: RunRequest, error: unknown): unknown {
  return changeTexts(error, redactorOf(secretsOf(target, options)))
}

/**
 * Runs the cases of a request on the lanes of its target and, concurrently, in its processes. A result does not depend on where
 * its case ran.
 *
 * @throws {WorkerError} a process ended unexpectedly.
 */
export async function execute(request: RunRequest): Promise<Executed> {
  const { progress } = request
  progress?.start(casesOf(planRun(request)).length)
  // The processes load while the target starts.
  const processes = request.processes?.(request) ?? []
  try {
    return await executeWith(request, processes)
  } finally {
    await Promise.all(processes.map((each) => each.stop()))
  }
}

async function executeWith(request: RunRequest, processes: readonly CaseWorker[]): Promise<Executed> {
  const { progress, bail = false, strict = false, replay, watch, record, onStall } = request
  const endsAtMs = endsAt(request)
  const session = await openRun(request, request.lanes ?? (processes.length > 0 ? 1 : undefined))
  const redact = redactorOf(session.secrets)
  for (const notice of session.notices) progress?.notice(redact(notice))
  let kept: KeptRun | null = null
  try {
    // The target's parts and capabilities are certain only now.
    const plan = planRun(request, session)
    const planned = inRunOrder(casesOf(plan), watch?.rank)
    const options = {
      ...{ bail, strict, replay, endsAtMs, processes },
      stop: () => (watch?.signal.aborted ? 'skipped: the run was given up' : null),
      onRunning: (ids) => {
        if (!watch?.signal.aborted) progress?.running(ids)
      },
      onTapped: (tap, result, first) => record?.keep(tap, result, first) ?? null,
      onNotice: (notice) => progress?.notice(redact(notice)),
      onResult: (result) => {
        progress?.step(result.id)
        if (!watch?.signal.aborted) request.onResult?.(result)
      },
      ...(onStall && {
        onStall: (results) => onStall(outcomeOf(request, executed(session, plan, results))),
      }),
    } satisfies RunOptions
    const running = runCases(session, planned, options)
    const results = await (watch === undefined ? running : unlessGivenUp(running, watch.signal))
    if (request.keep !== undefined) kept = await keepSession(session, plan, request.progress)
    return executed(session, plan, results)
  } finally {
    if (kept !== null) request.keep?.(kept)
    else {
      await session.end()
      for (const notice of session.lateNotices ?? []) progress?.notice(redact(notice))
    }
  }
}

/** Returns a worker for the cases of a request, with its own target; it runs one task per lane concurrently. */
export async function openCaseWorker(request: RunRequest): Promise<CaseWorker> {
  const { replay, strict = false, lanes = 1 } = request
  const session = await openRun(request, lanes)
  const planned = casesOf(planRun(request, session))
  const idle = [...session.lanes, ...(await Promise.all(session.later ?? []))]
  return {
    run: async ({ ids, endsAtMs }) => {
      let over: string | null = null
      const lane = idle.splice(0, 1)
      const results = await runCases(
        { ...session, lanes: lane, later: [] },
        planned.filter(({ testCase }) => ids.includes(testCase.id)),
        {
          ...{ replay, strict, endsAtMs },
          onOver: (reason) => {
            over = reason
          },
        },
      ).finally(() => idle.push(...lane))
      return { results, over }
    },
    stop: () => session.end(),
  }
}

/** Rejects when the signal aborts, without waiting for the running cases: they may take a long time. */
async function unlessGivenUp<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  const givenUp = once(signal, 'abort').then(() => {
    throw new RunGivenUpError()
  })
  if (signal.aborted) throw new RunGivenUpError()
  return Promise.race([running, givenUp])
}

/** Keeps the target up, with its chain as its only case left it, or as before the first of several; null: it cannot be kept. */
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
    progress?.notice(redactorOf(session.secrets)(`--keep-running: nothing is kept: ${problem}`))
    return null
  }
}
