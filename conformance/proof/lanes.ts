import { createWorld, type World } from '../../src/simulation/world.ts'
import { PROOF_SEED } from './put.ts'

/**
 * Works off jobs in worlds side by side, each with a chain of its own: one calculates while the other waits for its
 * chain. What a job finds does not depend on its lane, as every check begins in a world that was reset.
 *
 * @returns what each job gave, in the order of the jobs.
 */
export async function inWorlds<Job, Result>(
  jobs: readonly Job[],
  count: number,
  work: (world: World, job: Job) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const queue = [...jobs.entries()]
  const lane = async () => {
    const world = await createWorld({ seed: PROOF_SEED })
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [index, job] = next
        results[index] = await work(world, job)
      }
    } finally {
      await world.stop()
    }
  }
  await Promise.all(Array.from({ length: Math.min(count, jobs.length) }, lane))
  return results
}
