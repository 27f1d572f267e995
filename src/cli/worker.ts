import { openCaseWorker } from '../runner/executeInProcesses.ts'
import { serveWorker, type Worker } from '../runner/workers.ts'
import { propertyRequest } from './propertyRequest.ts'
import { openProver, openSimulator, type WorkerJob } from './workerJob.ts'

/** The program of a worker process of any command: it runs the tasks of one job in a world of its own. */
await serveWorker<WorkerJob, never, unknown>(async (job): Promise<Worker<never, unknown>> => {
  switch (job.kind) {
    case 'simulate':
      return openSimulator()
    case 'property':
      return openCaseWorker(propertyRequest(job.choice))
    case 'proof':
      return openProver(job.options)
  }
})
