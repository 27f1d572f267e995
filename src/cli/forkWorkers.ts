import type { SeedPlan } from '../campaign/seedRunner.ts'
import { type ConfinedWorker, confinedLaunch, forkWorker, type Worker } from '../runner/pool/workers.ts'
import type { ReachedTarget } from './run/namedTarget.ts'
import type { Run } from './run/plainRun.ts'
import type { VerifyFileOptions } from './verify/verifyFile.ts'

/** The program of every worker process, as it was built. */
const WORKER_PROGRAM = new URL('../../dist/worker.js', import.meta.url)

/** Scripts that a process runs concurrently, each in its own world: while one waits for its chain, another computes. */
export const SCRIPTS_AT_ONCE = 2

/** The job of a worker process. Plain data. */
export type WorkerJob =
  /** Runs the cases of a run. */
  | { readonly kind: 'run'; readonly run: Run }
  /** Runs seeds of a campaign, against the service of this machine if it has one. */
  | { readonly kind: 'seeds'; readonly plan: SeedPlan; readonly reached: ReachedTarget | null }
  /** Verifies recordings, by their paths. */
  | { readonly kind: 'verify'; readonly options: VerifyFileOptions }

export function forkWorkers<Task, Result>(count: number, job: WorkerJob): readonly Worker<Task, Result>[] {
  return Array.from({ length: count }, () => startWorker(job))
}

export function startWorker<Task, Result>(job: WorkerJob): Worker<Task, Result> {
  return forkWorker(WORKER_PROGRAM, job, atOnce(job))
}

/** Returns the number of tasks that a process runs concurrently. */
function atOnce(job: WorkerJob): number {
  switch (job.kind) {
    case 'run':
      return job.run.lanes ?? 1
    case 'seeds':
      return job.plan.suite === 'simulate' ? SCRIPTS_AT_ONCE : 1
    case 'verify':
      return 1
  }
}

/** Starts a worker process with a memory limit and without output. */
export function startConfinedWorker<Task, Result>(
  job: WorkerJob,
  memoryMib: number,
): ConfinedWorker<Task, Result> {
  return forkWorker(WORKER_PROGRAM, job, 1, confinedLaunch(memoryMib))
}
