import { type OpenRunner, TargetGoneError } from '../../campaign/seedRunner.ts'
import { lastingWorker } from '../../runner/pool/lastingWorker.ts'
import { startWorker } from '../forkWorkers.ts'
import type { ReachedTarget } from '../run/namedTarget.ts'
import type { ProcessResult } from './caseSeeds.ts'

/** Opens runners for the seeds of a plan, each in a process of its own. @param reached the service of this machine. */
export function openRunners(reached: ReachedTarget | null): OpenRunner {
  return (plan, onEnded) => {
    const target = plan.target === undefined ? null : reached
    const worker = lastingWorker<number, ProcessResult>(
      () => startWorker({ kind: 'seeds', plan, reached: target }),
      (seed) => `seed ${seed}`,
      onEnded,
    )
    return {
      atOnce: worker.atOnce ?? 1,
      run: async (seed) => {
        const result = await worker.run(seed)
        if ('gone' in result) throw new TargetGoneError(result.gone)
        return result
      },
      stop: () => worker.stop(),
    }
  }
}
