import type { SeedPlan, SeedRunner } from '../../campaign/seedRunner.ts'
import { simulatedSeeds } from '../../campaign/simulatedSeeds.ts'
import { startWorker } from '../forkWorkers.ts'

/** Opens a runner for the seeds of a plan, in a process of its own. */
export function openRunner({ defect }: SeedPlan, onEnded: (problem: string) => void): SeedRunner {
  const job = { kind: 'simulate', ...(defect === undefined ? {} : { defect }) } as const
  return simulatedSeeds(() => startWorker(job), onEnded)
}
