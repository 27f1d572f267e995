import { createWorld, type World } from '../../simulation/world/world.ts'
import { openLanes } from '../pool/lanes.ts'
import { runInOrder } from '../pool/workers.ts'
import { PROOF_SEED } from './runCase.ts'

/** The worlds of a proof, each with a chain of its own. */
export interface ProofWorlds {
  /**
   * Runs jobs in them, each world one at a time. A result does not depend on its world, because every case starts from a
   * reset one.
   *
   * @returns the results, in the order of the jobs.
   * @throws what a job threw; no further one is begun.
   */
  each<Job, Result>(
    jobs: readonly Job[],
    work: (world: World, job: Job) => Promise<Result>,
  ): Promise<readonly Result[]>
  readonly atOnce: number
  /** Runs one job in whichever is idle. */
  with<Result>(work: (world: World) => Promise<Result>): Promise<Result>
  stop(): Promise<void>
}

/**
 * Opens worlds as jobs call for them, and keeps them for the next ones.
 *
 * @param atOnce default: two, as one computes while another waits for its chain.
 */
export function proofWorlds(atOnce = 2): ProofWorlds {
  const worlds = openLanes(() => createWorld({ seed: PROOF_SEED }))
  return {
    each: (jobs, work) => {
      const run = (job: (typeof jobs)[number]) => worlds.with((world) => work(world, job))
      return runInOrder([{ atOnce, run }], jobs)
    },
    atOnce,
    with: worlds.with,
    stop: worlds.stop,
  }
}
