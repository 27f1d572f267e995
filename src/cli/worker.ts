import { openCaseWorker } from '../runner/executeInProcesses.ts'
import { serveWorker, type Worker } from '../runner/workers.ts'
import { propertyRequest } from './propertyRequest.ts'
import { openSimulator, type WorkerJob } from './workerJob.ts'

/** The program of a worker process of any command: it runs the tasks of one job in a world of its own. */
await serveWorker<WorkerJob, never, unknown>(
  async (job): Promise<Worker<never, unknown>> =>
    job.kind === 'simulate' ? openSimulator() : openCaseWorker(propertyRequest(job.choice)),
)
