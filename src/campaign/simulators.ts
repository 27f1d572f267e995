import type { ScriptRun } from '../runner/runScript.ts'
import { randomRun } from '../runner/simulate/plan.ts'
import type { FinishedRun, Simulator } from '../runner/simulate/run.ts'
import { WorkerError } from '../runner/workers.ts'

/** Signals of whoever ends a process from outside, which says nothing about its seed. */
const FROM_OUTSIDE: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])
/** A process that is ended so often at one seed may be ended because of it, as by a system without memory. */
const TRIES = 5

/** Whether the process of a worker was ended from outside. */
function isFromOutside({ signal }: WorkerError): boolean {
  return signal !== null && FROM_OUTSIDE.has(signal)
}

/**
 * A simulator that outlives its process: a process that is ended from outside is replaced and its seed run again, and one
 * that fails is replaced for the next seed. A seed whose processes are all ended from outside fails.
 *
 * @param open starts a process.
 * @param onEnded is called for each that is ended from outside.
 */
export function lastingSimulator(open: () => Simulator, onEnded: (error: WorkerError) => void): Simulator {
  let simulator = open()
  return {
    get atOnce() {
      return simulator.atOnce ?? 1
    },
    run: async (task) => {
      for (let tries = 1; ; tries += 1) {
        const used = simulator
        try {
          return await used.run(task)
        } catch (error) {
          // All that ran in the process fail with it, and the first of them replaces it.
          const isFirst = simulator === used
          if (isFirst) simulator = open()
          await used.stop()
          const isOutside = error instanceof WorkerError && isFromOutside(error)
          if (!isOutside) throw error
          if (tries === TRIES)
            throw new WorkerError(
              `seed ${task.script.seed} was tried ${TRIES} times, and its process ended with ${error.signal} each time, as where memory is short`,
            )
          if (isFirst) onEnded(error)
        }
      }
    },
    stop: () => simulator.stop(),
  }
}

/** Runs the random script of one seed. @throws {WorkerError} */
export async function runSeed(simulator: Pick<Simulator, 'run'>, seed: number): Promise<FinishedRun> {
  const planned = randomRun(seed)
  const { steps, requirement } = planned
  const run = (await simulator.run({ kind: 'run', script: { seed, steps, requirement } })) as ScriptRun
  return { ...planned, ...run }
}
