import { runScriptTask } from '../runner/runScript.ts'
import type { Simulator } from '../runner/simulate/run.ts'
import { createWorld, type World } from '../simulation/world.ts'
import { historyFamily } from './suites.ts'

/** A simulator in this process, with a world of its own. */
export async function openSimulator(): Promise<Simulator> {
  return simulatorIn(await createWorld({ seed: 1 }))
}

/** A simulator in this world, with the service that runs in it. */
export function simulatorIn(world: World): Simulator {
  return { run: (task) => runScriptTask(historyFamily, world, task), stop: () => world.stop() }
}
