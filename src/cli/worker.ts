import { serveWorker, type Worker } from '../runner/pool/workers.ts'
import type { WorkerJob } from './forkWorkers.ts'

/** The program of every worker process: loads the code that its job needs, and runs the tasks. */
await serveWorker<WorkerJob, never, unknown>(async (job): Promise<Worker<never, unknown>> => {
  switch (job.kind) {
    case 'run': {
      const { requestOf } = await import('./run/run.ts')
      const { openCaseWorker } = await import('../runner/run/execute.ts')
      return openCaseWorker(await requestOf(job.run))
    }
    case 'seeds': {
      if (job.plan.suite === 'simulate') {
        const { openScriptSeeds } = await import('./campaign/scriptSeeds.ts')
        return openScriptSeeds(job.plan.defect)
      }
      const { openCaseSeeds } = await import('./campaign/caseSeeds.ts')
      return openCaseSeeds(job.plan, job.reached)
    }
    case 'verify': {
      const { openVerifier } = await import('./verify/openVerifier.ts')
      return openVerifier(job.options)
    }
  }
})
