import { availableParallelism } from 'node:os'
import { setEngineFlags } from '../../host/engine.ts'
import type { CaseWorker } from '../../runner/cases/runCases.ts'
import { planRun } from '../../runner/plan/plan.ts'
import type { RunRequest } from '../../runner/run/runRequest.ts'
import { forkWorkers } from '../forkWorkers.ts'
import { loadClientSeams, loadSeams } from '../suites/loadSeams.ts'
import { loadSuites } from '../suites/suites.ts'
import type { Run } from './plainRun.ts'

/** One core each, shared with its chain: a process waits while its chain works. */
const WORKERS = 2
/** Starting a process takes about as long as running this many cases. */
const SHARED_MIN = 40

/**
 * Returns the request for a run. The caller adds the replay of each case: only the caller knows the command line.
 *
 * @throws {UsageError} the defect does not exist. {ScenarioFileError}
 */
export async function requestOf(run: Run): Promise<RunRequest> {
  const { defect, shard, workers: _workers, ...request } = run
  return {
    ...request,
    suites: await loadSuites(run.suites, run.seed),
    seams: await loadSeams(defect),
    client: await loadClientSeams(defect),
    ...(defect === undefined ? {} : { targetName: defect }),
    ...(shard === undefined ? {} : { shard: { ...shard, replay: '', flags: [] } }),
    replay: () => '',
    ...(run.target === 'reference' ? { processes: (planned: RunRequest) => processesFor(run, planned) } : {}),
  }
}

/** Starts the processes that share the cases of the reference with this one, if that is worthwhile. */
function processesFor(run: Run, request: RunRequest): readonly CaseWorker[] {
  setEngineFlags()
  const processes = isShareable(request) ? (run.workers ?? workersFor(request)) : 1
  return forkWorkers(Math.max(0, processes - 1), { kind: 'run', run })
}

/** Returns whether processes may share the cases: ending a run early or keeping its target needs a single process. */
function isShareable({ bail, keep }: RunRequest): boolean {
  return !bail && keep === undefined
}

function workersFor(request: RunRequest): number {
  const runs = planRun(request).suites.flatMap(({ planned }) =>
    planned.filter(({ notApplicable }) => notApplicable === null),
  )
  return runs.length < SHARED_MIN ? 1 : Math.min(WORKERS, availableParallelism())
}
