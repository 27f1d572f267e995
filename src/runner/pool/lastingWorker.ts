import { openRoom } from './room.ts'
import { type Worker, WorkerError } from './workers.ts'

/** Signals with which a user or the system ends a process; they say nothing about its task. */
const FROM_OUTSIDE: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])
/** A process that is ended this often at one task may be ended because of it, as by a system without memory. */
const TRIES = 5

/** Returns whether the process of a worker was ended from outside. */
function isFromOutside({ signal }: WorkerError): boolean {
  return signal !== null && FROM_OUTSIDE.has(signal)
}

/**
 * Returns a worker that outlives its process. A process that is ended from outside is replaced and its tasks are run again; one
 * that fails is replaced for the next task. A task fails if its process is ended from outside on every try. Any task of an
 * ended process may be the cause, so each of them is run again alone.
 *
 * @param open starts a process.
 * @param nameOf names a task, such as `seed 12`.
 * @param onEnded called with the reason whenever a process is ended from outside.
 */
export function lastingWorker<Task, Result>(
  open: () => Worker<Task, Result>,
  nameOf: (task: Task) => string,
  onEnded: (problem: string) => void,
): Worker<Task, Result> {
  let worker = open()
  const room = openRoom()
  return {
    get atOnce() {
      return worker.atOnce ?? 1
    },
    run: async (task) => {
      for (let tries = 1; ; tries += 1) {
        await room.enter(tries > 1)
        const used = worker
        try {
          return await used.run(task)
        } catch (error) {
          // All tasks of the process fail with it, and the first of them replaces it.
          const isFirst = worker === used
          if (isFirst) worker = open()
          await used.stop()
          const isOutside = error instanceof WorkerError && isFromOutside(error)
          if (!isOutside) throw error
          if (tries === TRIES)
            throw new WorkerError(
              `${nameOf(task)} was tried ${TRIES} times, and its process ended with ${error.signal} each time, as happens when memory is short`,
            )
          if (isFirst) onEnded(error.message)
        } finally {
          room.leave()
        }
      }
    },
    stop: () => worker.stop(),
  }
}
