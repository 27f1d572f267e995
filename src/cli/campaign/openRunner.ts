import { caseSeeds } from '../../campaign/caseSeeds.ts'
import type { OpenRunner } from '../../campaign/seedRunner.ts'
import { simulatedSeeds } from '../../campaign/simulatedSeeds.ts'
import { startWorker } from '../forkWorkers.ts'
import type { ReachedTarget } from './runCases.ts'

/** Opens runners for the seeds of a plan, each in a process of its own. @param reached the service of this machine. */
export function openRunners(reached: ReachedTarget | null): OpenRunner {
  return (plan, onEnded) => {
    if (plan.suite !== 'simulate') {
      const target = plan.target === undefined ? null : reached
      return caseSeeds(plan, () => startWorker({ kind: 'seeds', plan, reached: target }), onEnded)
    }
    const { defect } = plan
    const job = { kind: 'simulate', ...(defect === undefined ? {} : { defect }) } as const
    return simulatedSeeds(() => startWorker(job), onEnded)
  }
}
