import { createWorld, type World } from '../../simulation/world.ts'
import { PROOF_SEED } from './runCase.ts'

/**
 * Runs jobs in several worlds at once, each with a chain of its own: one computes while another waits for its chain. A
 * result does not depend on its world, because every case starts from a reset one.
 *
 * @returns the results, in the order of the jobs.
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
