import { runScriptSeed } from '../../campaign/scriptOutcome.ts'
import type { SeedRunner } from '../../campaign/seedRunner.ts'
import { runScript } from '../../runner/families/runScript.ts'
import { openLanes } from '../../runner/pool/lanes.ts'
import { createWorld } from '../../simulation/world/world.ts'
import { SCRIPTS_AT_ONCE } from '../forkWorkers.ts'
import { historyFamily } from '../suites/historySuite.ts'
import { loadSeams } from '../suites/loadSeams.ts'

/** Returns a worker in this process, which runs the random scripts of seeds. @param defect the id of a known-broken service. */
export function openScriptSeeds(defect?: string): SeedRunner {
  const open = async () => createWorld({ seed: 1, seams: await loadSeams(defect) })
  const worlds = openLanes(open, SCRIPTS_AT_ONCE)
  return {
    atOnce: worlds.atOnce,
    run: (seed) =>
      worlds.with((world) => runScriptSeed((script) => runScript(historyFamily, world, script), seed)),
    stop: () => worlds.stop(),
  }
}
