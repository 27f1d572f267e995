import type { ServiceSeams } from '../service/testing.ts'
import type { World } from '../simulation/world.ts'
import { type RandomRun, runRandomScript } from './randomRun.ts'

/** What a hunt came to. */
export interface Hunt {
  /** How many seeds were run, the one that found something included. */
  readonly seeds: number
  /** The first run that broke a promise; null when none did. */
  readonly found: RandomRun | null
}

/**
 * Runs random scripts against a service with these seams, seed after seed, until one breaks a promise. Afterwards the
 * reference stands in the world again.
 *
 * @param range `from`: the first seed; `seeds`: how many to try at most.
 */
export async function hunt(
  world: World,
  seams: ServiceSeams,
  { from, seeds }: { readonly from: number; readonly seeds: number },
): Promise<Hunt> {
  await world.reset(from, seams)
  try {
    for (let tried = 1; tried <= seeds; tried += 1) {
      const run = await runRandomScript(world, from + tried - 1)
      if (run.problem?.status === 'fail') return { seeds: tried, found: run }
    }
    return { seeds, found: null }
  } finally {
    await world.reset(from, {})
  }
}
