import { runScriptSeed } from '../../campaign/scriptOutcome.ts'
import type { SeedRunner } from '../../campaign/seedRunner.ts'
import { runScript } from '../../runner/families/runScript.ts'
import { createWorld } from '../../simulation/world/world.ts'
import { SCRIPTS_AT_ONCE } from '../forkWorkers.ts'
import { historyFamily } from '../suites/historySuite.ts'
import { loadSeams } from '../suites/loadSeams.ts'

/**
 * Returns a worker in this process, which runs the random scripts of seeds. Concurrent seeds use different worlds.
 *
 * @param defect id of a known-broken service. Default: the reference.
 */
export async function openScriptSeeds(defect?: string): Promise<SeedRunner> {
  const seams = await loadSeams(defect)
  const worlds = await Promise.all(
    Array.from({ length: SCRIPTS_AT_ONCE }, () => createWorld({ seed: 1, seams })),
  )
  const idle = [...worlds]
  return {
    atOnce: SCRIPTS_AT_ONCE,
    run: async (seed) => {
      const world = idle.pop()
      if (world === undefined) throw new RangeError(`more than ${SCRIPTS_AT_ONCE} seeds at once`)
      const run = runScriptSeed((script) => runScript(historyFamily, world, script), seed)
      return run.finally(() => idle.push(world))
    },
    stop: async () => {
      await Promise.all(worlds.map((world) => world.stop()))
    },
  }
}
