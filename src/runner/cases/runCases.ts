import { redactorOf } from '../../spec/secrets/redact.ts'
import { realTime } from '../../targets/realTime.ts'
import type { Lane, Runner, TargetSession } from '../../targets/session.ts'
import type { Tap } from '../../targets/transports/tap.ts'
import { type PlannedCase, usesUp } from '../plan/plan.ts'
import type { Worker } from '../pool/workers.ts'
import type { Case } from './case.ts'
import { afterCopies, resultsInOrder, withoutChain, withReplay } from './changedResults.ts'
import { dealCases } from './deal.ts'
import { type CaseResult, runCase } from './runCase.ts'
import { isWell, runUnit, unitsBy, unitsOf } from './units.ts'

/** Cases for another process, by their ids. Plain data. */
export interface CaseTask {
  readonly ids: readonly string[]
  /** No case begins later. Epoch milliseconds. */
  readonly endsAtMs: number
}

/** Describes what the cases of a task came to, as plain data. */
export interface CaseTaskResult {
  readonly results: readonly CaseResult[]
  /** Why no case may follow; null: others may. */
  readonly over: string | null
}

/** Runs cases in another process, on a target of its own. */
export type CaseWorker = Worker<CaseTask, CaseTaskResult>

export interface RunOptions {
  readonly replay: (testCase: Pick<Case, 'id'>) => string
  /** True if a case fails for a convention that is not kept. Default: it does not. */
  readonly strict?: boolean
  /** Ends the run after the first case that fails. Default: it goes on. */
  readonly bail?: boolean
  /** No case begins later. Epoch milliseconds. Default: each may. */
  readonly endsAtMs?: number
  /** Called before each case: why no more are run; null to go on. Default: the run goes on. */
  readonly stop?: () => string | null
  /** Processes that run cases next to the lanes. Default: none. */
  readonly processes?: readonly Pick<CaseWorker, 'run' | 'atOnce'>[]
  /** Called when cases begin or end: the ids of all that run now, those that began first in front. */
  readonly onRunning?: (ids: readonly string[]) => void
  readonly onResult?: (result: CaseResult) => void
  /** Called when a case has ended that a tap listened to. */
  readonly onTapped?: (tap: Tap, result: CaseResult) => void
  /** Called with what whoever runs it should know. */
  readonly onNotice?: (notice: string) => void
  /** Called at the end of a run that ended early: why the cases without a result were not run. */
  readonly onOver?: (reason: string) => void
  /** The time by which cases are measured. Default: the machine's. */
  readonly nowMs?: () => number
}

/**
 * Runs the planned cases against a target, shared out among its lanes and other processes, and returns their results in the order
 * of the plan. Where a case runs changes nothing of its result. Never throws for what a target does.
 *
 * @throws what a process throws; the others begin nothing more.
 */
export async function runCases(
  { lanes, later = [], secrets, casesAreDealt = false, copiesAreAssumed = false }: TargetSession,
  planned: readonly PlannedCase[],
  options: RunOptions,
): Promise<readonly CaseResult[]> {
  const { replay, strict = false, bail = false, stop, processes = [], onResult, onTapped, onNotice } = options
  const { endsAtMs = Number.POSITIVE_INFINITY, nowMs = realTime.nowMs } = options
  const results: CaseResult[] = []
  const redactSecrets = redactorOf(secrets)
  const waiting = planned.flatMap(({ testCase, notApplicable }) => (notApplicable === null ? [testCase] : []))
  // With one lane the cases up to the first failure are the same each time.
  const working = [...lanes, ...later].slice(0, bail ? 1 : undefined)
  const shares = casesAreDealt ? dealCases(waiting, working.length) : null
  const elsewhere = processes.flatMap((each) => Array.from({ length: each.atOnce ?? 1 }, () => each))
  const shared = working.length === 1 && elsewhere.length === 0 ? null : groupsOf(waiting)
  let over: string | null = null
  const running = new Set<string>()
  const begin = (...ids: readonly string[]) => {
    for (const id of ids) running.add(id)
    options.onRunning?.([...running])
  }
  const end = (...ids: readonly string[]) => {
    for (const id of ids) running.delete(id)
    options.onRunning?.([...running])
  }
  const run = async (runner: Runner, testCase: Case): Promise<CaseResult> => {
    begin(testCase.id)
    const startedMs = nowMs()
    const result = await runCase(testCase, {
      enter: () => runner.enter(testCase.resetsItself),
      replay,
      strict,
      redact: redactSecrets,
    })
    if (runner.tap !== undefined) onTapped?.(runner.tap, result)
    const waitedMs = runner.takeWaitedMs()
    const durationMs = Math.max(0, nowMs() - startedMs)
    end(testCase.id)
    return { ...result, durationMs, ...(Object.keys(waitedMs).length === 0 ? {} : { waitedMs }) }
  }
  const keep = (result: CaseResult): void => {
    results.push(result)
    onResult?.(result)
  }
  const judge = async (lane: Lane, result: CaseResult): Promise<void> => {
    // A response while the chain is gone says nothing about the target.
    const problem = isWell(result) ? null : await lane.chainProblem()
    keep(problem === null ? result : withoutChain(result, problem))
    if (problem !== null) over = `skipped: the chain is gone: ${problem}`
    else if (bail && result.status === 'fail') over = 'skipped: --bail'
  }
  const isOver = (): boolean => {
    over ??= stop?.() ?? (nowMs() < endsAtMs ? null : 'skipped: --timeout reached')
    return over !== null
  }
  /** Takes units from the front of a queue, until it is empty or the run is over. */
  const work = async (queue: Case[][], runNext: (unit: readonly Case[]) => Promise<void>): Promise<void> => {
    for (let unit = queue.shift(); unit !== undefined && !isOver(); unit = queue.shift()) await runNext(unit)
  }
  // Side by side copies of a service may be too slow for a case, or share something: it is run again once the others are done.
  const isUnclear = ({ id, status }: CaseResult) =>
    shares !== null &&
    working.length > 1 &&
    (status === 'inconclusive' || (copiesAreAssumed && status === 'fail')) &&
    !waiting.some((testCase) => testCase.id === id && usesUp(testCase))
  const unclear: { readonly lane: Lane; readonly result: CaseResult }[] = []
  const runIn = (lane: Lane, cases: readonly Case[] | null): Promise<void> => {
    const alone = () => unitsOf(cases ?? waiting, bail ? {} : lane)
    return work((cases === null ? shared : null) ?? alone(), async (unit) => {
      for (const result of await runUnit(lane, unit, run)) {
        if (isUnclear(result) && (await lane.chainProblem()) === null) unclear.push({ lane, result })
        else await judge(lane, result)
      }
    })
  }
  const left: Case[] = []
  const start = async (lane: Lane | Promise<Lane>, index: number): Promise<void> => {
    const own = shares?.[index] ?? null
    const started = await Promise.resolve(lane).catch((error: Error) => {
      if (!copiesAreAssumed) throw error
      onNotice?.(`copy ${index + 1} of the service did not start, the first runs its cases: ${error.message}`)
      return null
    })
    if (started === null) left.push(...(own ?? []))
    else await runIn(started, own)
  }
  const runElsewhere = (process: Pick<CaseWorker, 'run'>): Promise<void> =>
    work(shared ?? [], async (unit) => {
      // A process is not looked into: all cases of its task count as running.
      const ids = unit.map(({ id }) => id)
      begin(...ids)
      try {
        const done = await process.run({ ids, endsAtMs })
        over ??= done.over
        for (const result of done.results)
          if (result.durationMs !== undefined) keep(withReplay(result, replay))
      } catch (error) {
        over = 'skipped: a worker failed'
        throw error
      } finally {
        end(...ids)
      }
    })
  await Promise.all([...working.map(start), ...elsewhere.map(runElsewhere)])
  for (const lane of lanes.slice(0, 1)) await runIn(lane, left)
  for (const { lane, result } of unclear) {
    const testCase = waiting.find(({ id }) => id === result.id)
    const isRunAgain = !isOver() && testCase !== undefined
    await judge(lane, isRunAgain ? afterCopies(result, await run(lane, testCase)) : result)
  }
  if (over !== null) options.onOver?.(over)
  return resultsInOrder(planned, results, over)
}

/** Returns the cases that share work together, for whichever place is free. Groups take long, and begin first. */
function groupsOf(cases: readonly Case[]): Case[][] {
  return unitsBy(cases, ({ id, group = id }) => group).toSorted((one, other) => other.length - one.length)
}
