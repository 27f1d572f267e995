import { forkWorker } from '../forkedWorker.ts'
import type { Simulator } from './simulator.ts'

/**
 * Starts a process with a world of its own. A process and not a thread or a second world here: the tripwire watches
 * the globals of its process, and could not tell two worlds apart.
 */
export function startWorker(): Simulator {
  const worker = forkWorker('./worker', import.meta.url)
  return {
    run: (script) => worker.ask({ kind: 'run', script }),
    shrink: (script, problem) => worker.ask({ kind: 'shrink', script, problem }),
    stop: () => worker.stop(),
  }
}
