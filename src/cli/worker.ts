import { serveWorker, type Worker } from '../runner/workers.ts'
import { defectOf, openFamilyWorker } from './suites.ts'
import { openSimulator, type WorkerJob } from './workerJob.ts'

/** The program of a worker process of any command: it runs the tasks of one job in a world of its own. */
await serveWorker<WorkerJob, never, unknown>(async (job): Promise<Worker<never, unknown>> => {
  if (job.kind === 'simulate') return openSimulator()
  const { only, defect, ...choice } = job
  const seams = defect === null ? undefined : defectOf(defect)?.seams
  return openFamilyWorker({ ...choice, ...(only === null ? {} : { only: new Set(only) }) }, seams)
})
