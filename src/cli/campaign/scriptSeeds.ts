import { runScriptSeed, type Simulator } from '../../campaign/scriptOutcome.ts'
import type { SeedResult, SeedTask } from '../../campaign/seedRunner.ts'
import { runScript, shrinkScript, whileNoScriptRuns } from '../../runner/families/runScript.ts'
import { openLanes } from '../../runner/pool/lanes.ts'
import type { Worker } from '../../runner/pool/workers.ts'
import { type BrokenService, recordingOf } from '../../runner/simulate/record.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import { SCRIPTS_AT_ONCE } from '../forkWorkers.ts'
import { historyFamily } from '../suites/historySuite.ts'
import { loadSeams } from '../suites/loadSeams.ts'

/** Returns a worker in this process, which runs the random scripts of seeds. @param defect the id of a known-broken service. */
export function openScriptSeeds(defect?: string): Worker<SeedTask, SeedResult> {
  const worlds = openLanes(
    async () => createWorld({ seed: 1, seams: await loadSeams(defect) }),
    SCRIPTS_AT_ONCE,
  )
  return {
    atOnce: worlds.atOnce,
    run: (task) =>
      worlds.with(async (world) => {
        const broken = defect === undefined ? null : { id: defect, seams: await loadSeams(defect) }
        return runScriptSeed(simulatorIn(world, broken), task)
      }),
    stop: () => worlds.stop(),
  }
}

/**
 * Returns what runs scripts in this world, against the service that runs in it.
 *
 * @param broken the known-broken service that is recorded. Default: the reference.
 */
export function simulatorIn(world: World, broken: BrokenService | null = null): Simulator {
  return {
    run: (script) => runScript(historyFamily, world, script),
    shrink: (script, property) => shrinkScript(historyFamily, world, script, property),
    // Its world is no script's doing.
    record: (run) => whileNoScriptRuns(() => recordingOf(run, broken)),
  }
}
