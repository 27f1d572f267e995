import { runScriptTask } from '../runner/runScript.ts'
import { inLanes } from '../runner/simulate/lanes.ts'
import { recordingOf } from '../runner/simulate/record.ts'
import type { Simulator } from '../runner/simulate/run.ts'
import type { ServiceSeams } from '../service/testing.ts'
import { createWorld, type World } from '../simulation/world.ts'
import { SCRIPTS_AT_ONCE } from './forkWorkers.ts'
import { historyFamily } from './historySuite.ts'

/**
 * Returns a simulator in this process, with worlds of its own.
 *
 * @param defect the id of a known-broken service. Default: the reference.
 */
export function openSimulator(defect?: string): Simulator {
  const open = async () => {
    const seams = await loadSeams(defect)
    return simulatorIn(await createWorld({ seed: 1, seams }), seams)
  }
  return inLanes(open, SCRIPTS_AT_ONCE)
}

/**
 * Returns what a known-broken service replaces in the reference. The defects are loaded by whoever names one.
 *
 * @throws {UsageError} there is no such defect.
 */
export async function loadSeams(defect: string | undefined): Promise<ServiceSeams> {
  return defect === undefined ? {} : (await import('./seamsOfDefect.ts')).seamsOfDefect(defect)
}

/**
 * Returns a simulator in this world, with the service that runs in it; it runs one script at a time.
 *
 * @param seams what is replaced in the service of a world that records. Default: nothing.
 */
export function simulatorIn(world: World, seams: ServiceSeams = {}): Simulator {
  return {
    run: (task) =>
      task.kind === 'record' ? recordingOf(task.run, seams) : runScriptTask(historyFamily, world, task),
    stop: () => world.stop(),
  }
}
