import { runScriptTask } from '../runner/runScript.ts'
import { inLanes } from '../runner/simulate/lanes.ts'
import type { Simulator } from '../runner/simulate/run.ts'
import { createWorld, type World } from '../simulation/world.ts'
import { SCRIPTS_AT_ONCE } from './forkWorkers.ts'
import { historyFamily } from './historySuite.ts'

/** A simulator in this process, with worlds of its own. */
export function openSimulator(): Simulator {
  return inLanes(async () => simulatorIn(await createWorld({ seed: 1 })), SCRIPTS_AT_ONCE)
}

/** A simulator in this world, with the service that runs in it; it runs one script at a time. */
export function simulatorIn(world: World): Simulator {
  return { run: (task) => runScriptTask(historyFamily, world, task), stop: () => world.stop() }
}
