import type { SeedPlan } from '../campaign/seedRunner.ts'
import { type ConfinedWorker, confinedLaunch, forkWorker, type Worker } from '../runner/pool/workers.ts'
import type { ReachedTarget } from './run/namedTarget.ts'
import type { Run } from './run/plainRun.ts'
import type { VerifyFileOptions } from './verify/verifyFile.ts'

/** The program of every worker process, as it was built. */
const WORKER_PROGRAM = new URL('../../dist/worker.js', import.meta.url)

/** How many scripts a process runs at once, each in a world of its own: while one waits for its chain, another calculates. */
export const SCRIPTS_AT_ONCE = 2

/** Describes what a worker process is for, as plain data. */
export type WorkerJob =
  /** Runs the cases of a run. */
  | { readonly kind: 'run'; readonly run: Run }
  /** Runs seeds of a campaign, against the service of this machine where there is one. */
  | { readonly kind: 'seeds'; readonly plan: SeedPlan; readonly reached: ReachedTarget | null }
  /** Verifies recordings, by their paths. */
  | { readonly kind: 'verify'; readonly options: VerifyFileOptions }

/** So many worker processes. */
export function forkWorkers<Task, Result>(count: number, job: WorkerJob): readonly Worker<Task, Result>[] {
  return Array.from({ length: count }, () => startWorker(job))
}

/** Returns a worker process. */
export function startWorker<Task, Result>(job: WorkerJob): Worker<Task, Result> {
  return forkWorker(WORKER_PROGRAM, job, atOnce(job))
}

/** Returns how many tasks a process runs at once. */
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

/** Returns a worker process that may take so much memory, and prints nothing of its own. */
export function startConfinedWorker<Task, Result>(
  job: WorkerJob,
  memoryMib: number,
): ConfinedWorker<Task, Result> {
  return forkWorker(WORKER_PROGRAM, job, 1, confinedLaunch(memoryMib))
}
