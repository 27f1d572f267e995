import type { TargetSession } from '../../targets/session.ts'
import { resultsInOrder } from '../cases/resultsInOrder.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { runCases } from '../cases/runCases.ts'
import { type PlannedCase, planRun } from '../plan/plan.ts'
import { runInOrder, type Worker, withWorkers } from '../pool/workers.ts'
import { executed } from '../verdict/outcome.ts'
import { endsAt, stopAfter } from './deadline.ts'
import { openRun } from './executeOnLanes.ts'
import type { Executed, RunRequest } from './runRequest.ts'

/** Cases for one worker. */
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

/** Runs cases of a request by their ids. */
export type CaseWorker = Worker<CaseTask, CaseTaskResult>

/**
 * Runs the cases of a request against the reference: in a world of this process and, meanwhile, on workers in processes of
 * their own. Which process runs a case changes nothing of its result.
 *
 * @param fork starts the other processes; they are stopped before this returns.
 * @throws {WorkerError} one of them ended by itself.
 */
export function executeInProcesses(
  request: RunRequest,
  fork: () => readonly CaseWorker[],
): Promise<Executed> {
  const endsAtMs = endsAt(request.timeoutS)
  const plan = planRun(request)
  const planned = plan.suites.flatMap((suite) => suite.planned)
  request.progress?.start(planned.length)
  // The others load while the world of this process starts.
  return withWorkers(
    async () => fork(),
    async (forked) => {
      const session = await openRun(request, 1)
      try {
        const workers = [workerIn(request, session, planned), ...forked]
        return executed(session, plan, await shareCases(planned, workers, { ...request, endsAtMs }))
      } finally {
        await session.end()
      }
    },
  )
}

/**
 * Runs planned cases on whichever worker is free, those of a group on one of them. The results are in the order of the plan.
 *
 * @param options.replay The command line that runs one case again, which no worker knows.
 * @throws what a worker throws; the others begin nothing more.
 */
export async function shareCases(
  planned: readonly PlannedCase[],
  workers: readonly Pick<CaseWorker, 'run'>[],
  { replay, progress, endsAtMs }: Pick<RunRequest, 'replay' | 'progress'> & Pick<CaseTask, 'endsAtMs'>,
): Promise<readonly CaseResult[]> {
  let over: string | null = null
  // A task is not looked into: all of its cases count as running.
  const running = new Set<string>()
  const counting = (worker: Pick<CaseWorker, 'run'>) => ({
    run: async (ids: readonly string[]) => {
      if (over !== null) return []
      for (const id of ids) running.add(id)
      progress?.running([...running])
      try {
        const done = await worker.run({ ids, endsAtMs })
        over ??= done.over
        const ran = done.results.filter(({ durationMs }) => durationMs !== undefined)
        for (const { id } of ran) progress?.step(id)
        return ran
      } catch (error) {
        over = 'skipped: a worker failed'
        throw error
      } finally {
        for (const id of ids) running.delete(id)
        progress?.running([...running])
      }
    },
  })
  const ran = await runInOrder(workers.map(counting), tasksOf(planned))
  const results = ran.flat().map((result) => withReplay(result, replay))
  return resultsInOrder(planned, results, over)
}

/** Returns a worker for the cases of a request, with a reference of its own. */
export async function openCaseWorker(request: RunRequest): Promise<CaseWorker> {
  const session = await openRun(request, 1)
  const planned = planRun(request, session).suites.flatMap((suite) => suite.planned)
  return { ...workerIn(request, session, planned), stop: () => session.end() }
}

function workerIn(
  { replay, strict = false }: RunRequest,
  session: TargetSession,
  planned: readonly PlannedCase[],
): Pick<CaseWorker, 'run'> {
  return {
    run: async ({ ids, endsAtMs }) => {
      let over: string | null = null
      const results = await runCases(
        session,
        planned.filter(({ testCase }) => ids.includes(testCase.id)),
        {
          replay,
          strict,
          bail: false,
          stop: () => stopAfter(endsAtMs),
          onOver: (reason) => {
            over = reason
          },
        },
      )
      return { results, over }
    },
  }
}

/** Returns the ids of the cases to run, those of a group together. Groups take long, and begin first. */
function tasksOf(planned: readonly PlannedCase[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>()
  for (const { testCase, notApplicable } of planned) {
    const { id, group = id } = testCase
    if (notApplicable === null) groups.set(group, [...(groups.get(group) ?? []), id])
  }
  return [...groups.values()].toSorted((one, other) => other.length - one.length)
}

function withReplay(result: CaseResult, replay: RunRequest['replay']): CaseResult {
  const { failure } = result
  return failure === null ? result : { ...result, failure: { ...failure, replay: replay(result) } }
}
