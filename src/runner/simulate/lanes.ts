import { OverlappingLeakError } from '../runScript.ts'
import type { Simulator, SimulatorResult, SimulatorTask } from './run.ts'

/**
 * A simulator that runs several scripts at once in this process. Where one of them leaks, each that ran meanwhile is run again
 * alone, so that what a script comes to does not depend on its neighbours.
 *
 * @param open opens a simulator that runs one script at a time; called when a script comes and all are busy.
 */
export function inLanes(open: () => Promise<Simulator>, atOnce: number): Simulator {
  const opened: Promise<Simulator>[] = []
  const free: Simulator[] = []
  const running = new Set<Promise<unknown>>()
  /** The last of those that run alone; null when there is none. */
  let alone: Promise<unknown> | null = null

  const openAnother = (): Promise<Simulator> => {
    const another = open()
    opened.push(another)
    return another
  }
  const runIn = async (task: SimulatorTask): Promise<SimulatorResult> => {
    const lane = free.pop() ?? (await openAnother())
    try {
      return await lane.run(task)
    } finally {
      free.push(lane)
    }
  }
  const runNextToOthers = async (task: SimulatorTask): Promise<SimulatorResult> => {
    while (alone !== null) await alone
    const run = runIn(task)
    running.add(run)
    return run.finally(() => running.delete(run))
  }
  const runAlone = (task: SimulatorTask): Promise<SimulatorResult> => {
    const before = alone
    const run = (async () => {
      await before
      await Promise.allSettled(running)
      return runIn(task)
    })()
    const over = run.then(
      () => {},
      () => {},
    )
    const turn = over.then(() => {
      if (alone === turn) alone = null
    })
    alone = turn
    return run
  }
  return {
    atOnce,
    run: async (task) => {
      // It starts a world of its own, which is no script's doing.
      if (task.kind === 'record') return runAlone(task)
      try {
        return await runNextToOthers(task)
      } catch (error) {
        if (!(error instanceof OverlappingLeakError)) throw error
        return runAlone(task)
      }
    },
    stop: async () => {
      const lanes = await Promise.allSettled(opened)
      await Promise.all(lanes.map((lane) => (lane.status === 'fulfilled' ? lane.value.stop() : null)))
    },
  }
}
