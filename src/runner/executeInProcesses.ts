import { referenceFacts } from '../targets/reference.ts'
import { planRun } from './plan.ts'
import { type Executed, executed, openRun, type RunRequest } from './run.ts'
import { type CaseResult, runCases } from './runCases.ts'
import { runInOrder, type Worker, withWorkers } from './workers.ts'

/** Runs cases of a request by their ids. */
export type CaseWorker = Worker<readonly string[], readonly CaseResult[]>

/** Runs the cases of a request against the reference on a pool of workers, the cases of each group on one of them. */
export async function executeInProcesses(
  request: RunRequest,
  open: () => Promise<readonly CaseWorker[]>,
): Promise<Executed> {
  const plan = planRun(request)
  const planned = plan.suites.flatMap((suite) => suite.planned)
  const groups = new Map<string, string[]>()
  for (const { id, group = id } of planned.map(({ testCase }) => testCase)) {
    groups.set(group, [...(groups.get(group) ?? []), id])
  }
  request.progress?.start(planned.length)
  const results = await withWorkers(open, (workers) =>
    runInOrder(workers, [...groups.values()], (ended) => {
      for (const { id } of ended) request.progress?.step(id)
    }),
  )
  return executed(referenceFacts('sandbox'), plan, results.flat())
}

/** A worker for the cases of a request, with a reference of its own. */
export async function openCaseWorker(request: RunRequest): Promise<CaseWorker> {
  const session = await openRun(request, 1)
  const planned = planRun(request, session).suites.flatMap((suite) => suite.planned)
  return {
    run: (ids) =>
      runCases(
        session,
        planned.filter(({ testCase }) => ids.includes(testCase.id)),
        { replay: request.replay, bail: false, strict: request.strict ?? false, stop: () => null },
      ),
    stop: () => session.end(),
  }
}
