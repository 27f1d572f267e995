import { createWorld, type World } from '../../simulation/world.ts'
import { PROOF_SEED } from './runCase.ts'

/** The worlds of a proof, each with a chain of its own: one computes while another waits for its chain. */
export interface ProofWorlds {
  /**
   * Runs jobs in them, each world one at a time. A result does not depend on its world, because every case starts from a
   * reset one.
   *
   * @returns the results, in the order of the jobs.
   * @throws what a job threw, once those under way have ended; no further one is begun.
   */
  each<Job, Result>(
    jobs: readonly Job[],
    work: (world: World, job: Job) => Promise<Result>,
  ): Promise<readonly Result[]>
  stop(): Promise<void>
}

/** At most so many worlds. Each is booted when jobs first call for it, and kept for the next ones. */
export function proofWorlds(count: number): ProofWorlds {
  const booted: World[] = []
  const idle: World[] = []
  const boot = async () => {
    const world = await createWorld({ seed: PROOF_SEED })
    booted.push(world)
    return world
  }
  return {
    each: async <Job, Result>(
      jobs: readonly Job[],
      work: (world: World, job: Job) => Promise<Result>,
    ): Promise<readonly Result[]> => {
      const results: Result[] = []
      const queue = [...jobs.entries()]
      const lane = async () => {
        try {
          const world = idle.pop() ?? (await boot())
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            const [index, job] = next
            results[index] = await work(world, job)
          }
          idle.push(world)
        } catch (error) {
          queue.length = 0
          throw error
        }
      }
      const ended = await Promise.allSettled(Array.from({ length: Math.min(count, jobs.length) }, lane))
      const failed = ended.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
      return results
    },
    stop: async () => {
      await Promise.all(booted.map((world) => world.stop()))
    },
  }
}
