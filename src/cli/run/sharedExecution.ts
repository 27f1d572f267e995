import { availableParallelism } from 'node:os'
import { setEngineFlags } from '../../host/engine.ts'
import { executeInProcesses } from '../../runner/executeInProcesses.ts'
import { executeOnLanes } from '../../runner/executeOnLanes.ts'
import { planRun } from '../../runner/plan.ts'
import type { RunRequest } from '../../runner/runRequest.ts'
import { UsageError } from '../../spec/errors.ts'
import type { Target } from '../../targets/open.ts'
import { forkWorkers } from '../forkWorkers.ts'
import type { ConformSuites } from '../suites.ts'
import type { CaseChoice } from './caseRequest.ts'
import type { RunOptions } from './flags.ts'

/** A core each; their chains work while they wait. */
const WORKERS = 2
/** Another process loads for about as long as so many cases run. */
const SHARED_MIN = 40

/**
 * Returns how the cases of the reference are shared among processes; nothing for another target, which runs its cases one by one.
 *
 * @param running the suites of `conform`, null: those of `run`; and the known-broken service that takes its place.
 * @throws {UsageError} the flag is given for another target.
 */
export function executionOf(
  target: Target,
  options: RunOptions,
  { conform, defect }: { readonly conform: ConformSuites | null; readonly defect?: string },
): Pick<RunRequest, 'execute'> {
  const { workers, seed, profile, only = [], skip = [], shard, strict = false } = options
  if (target !== 'reference') {
    if (workers === undefined) return {}
    throw new UsageError('--workers is for the reference', 'Leave out --workers.')
  }
  const chosen = { conform, seed, profile, only, skip, strict }
  const choice: CaseChoice = { ...chosen, ...(shard && { shard }), ...(defect && { defect }) }
  return {
    execute: (request) => {
      setEngineFlags()
      const processes = isShareable(request) ? (workers ?? workersFor(request)) : 1
      if (processes < 2) return executeOnLanes(request)
      return executeInProcesses(request, () => forkWorkers(processes - 1, { kind: 'cases', choice }))
    },
  }
}

/** Returns what ends a run early, or stays after it, is in one process. */
function isShareable({ bail, keep }: RunRequest): boolean {
  return !bail && keep === undefined
}

function workersFor(request: RunRequest): number {
  const runs = planRun(request).suites.flatMap(({ planned }) =>
    planned.filter(({ notApplicable }) => notApplicable === null),
  )
  return runs.length < SHARED_MIN ? 1 : Math.min(WORKERS, availableParallelism())
}
