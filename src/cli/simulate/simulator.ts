import { runScriptTask, type ScriptResult, type ScriptTask } from '../../runner/runScript.ts'
import type { Worker } from '../../runner/workers.ts'
import { createWorld, type World } from '../../simulation/world.ts'
import { historyFamily } from '../suites.ts'

/** Runs and shrinks scripts, one after another. */
export type Simulator = Worker<ScriptTask, ScriptResult>

/** A simulator in this process, with a world of its own. */
export async function openSimulator(): Promise<Simulator> {
  return simulatorIn(await createWorld({ seed: 1 }))
}

/** A simulator in this world, with the service that stands in it. */
export function simulatorIn(world: World): Simulator {
  return { run: (task) => runScriptTask(historyFamily, world, task), stop: () => world.stop() }
}
