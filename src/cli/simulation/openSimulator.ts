import { runScriptTask } from '../../runner/families/runScript.ts'
import { inLanes } from '../../runner/simulate/lanes.ts'
import { type BrokenService, recordingOf } from '../../runner/simulate/record.ts'
import type { Simulator } from '../../runner/simulate/run.ts'
import { createWorld, type World } from '../../simulation/world/world.ts'
import { SCRIPTS_AT_ONCE } from '../forkWorkers.ts'
import { historyFamily } from '../suites/historySuite.ts'
import { loadSeams } from '../suites/loadSeams.ts'

/**
 * Returns a simulator in this process, with worlds of its own.
 *
 * @param defect the id of a known-broken service. Default: the reference.
 */
export function openSimulator(defect?: string): Simulator {
  const open = async () => {
    const seams = await loadSeams(defect)
    const broken = defect === undefined ? null : { id: defect, seams }
    return simulatorIn(await createWorld({ seed: 1, seams }), broken)
  }
  return inLanes(open, SCRIPTS_AT_ONCE)
}

/**
 * Returns a simulator in this world, with the service that runs in it; it runs one script at a time.
 *
 * @param broken the known-broken service that is recorded. Default: the reference.
 */
export function simulatorIn(world: World, broken: BrokenService | null = null): Simulator {
  return {
    run: (task) =>
      task.kind === 'record' ? recordingOf(task.run, broken) : runScriptTask(historyFamily, world, task),
    stop: () => world.stop(),
  }
}
