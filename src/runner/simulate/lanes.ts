import { OverlappingLeakError } from '../families/runScript.ts'
import { openLanes } from '../pool/lanes.ts'
import type { Simulator, SimulatorResult, SimulatorTask } from './run.ts'

/**
 * Returns a simulator that runs several scripts at once in this process. Where one of them leaks, each that ran meanwhile is run again
 * alone, so that what a script comes to does not depend on its neighbours.
 *
 * @param open opens a simulator that runs one script at a time.
 */
export function inLanes(open: () => Promise<Simulator>, atOnce: number): Simulator {
  const lanes = openLanes(open, atOnce)
  const run = (task: SimulatorTask, isAlone: boolean): Promise<SimulatorResult> =>
    lanes.with((lane) => lane.run(task), isAlone)
  return {
    atOnce,
    run: async (task) => {
      // It starts a world of its own, which is no script's doing.
      if (task.kind === 'record') return run(task, true)
      try {
        return await run(task, false)
      } catch (error) {
        if (!(error instanceof OverlappingLeakError)) throw error
        return run(task, true)
      }
    },
    stop: () => lanes.stop(),
  }
}
