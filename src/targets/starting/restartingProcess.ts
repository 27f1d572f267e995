import { realTime } from '../realTime.ts'
import type { Crash } from '../transports/httpTransport.ts'
import type { SpawnedProcess } from './spawnedProcess.ts'

/** How often a service that ended by itself is started again in one run. */
export const RESTARTS_MAX = 10
/** How long after a connection broke off its process may take to be gone. */
const CRASHED_WITHIN_MS = 200
const LAST_LINES = 5

/** A process that is started again when it ended by itself. */
export interface RestartingProcess extends SpawnedProcess {
  /** Starts it again where it has ended, and waits until it is ready; it stays ended where that fails, or after too many times. */
  revive(): Promise<void>
  /** Ends it, starts it again, and waits until it is ready. @throws what `untilReady` rejects with. */
  restart(): Promise<void>
  /** Returns why it ended just now, with the last lines that it printed; null: it runs. */
  crash(): Promise<Crash | null>
}

/**
 * Keeps a service running whatever a request does to it, so that one crash ends one case and not the run.
 *
 * @param spawn starts it; `again` is true for all but the first time.
 * @param untilReady resolves once it responds; rejects where it does not.
 * @param restartsMax how often it may be started again.
 */
export function restartingProcess(
  spawn: (again: boolean) => SpawnedProcess,
  untilReady: (process: SpawnedProcess) => Promise<unknown>,
  restartsMax = RESTARTS_MAX,
): RestartingProcess {
  let current = spawn(false)
  let restarts = 0
  let isStopped = false
  const startAgain = async (): Promise<void> => {
    await current.stop()
    // Whoever ends the run meanwhile must leave nothing behind.
    if (isStopped) return
    current = spawn(true)
    await untilReady(current)
  }
  return {
    ended: () => {
      const reason = current.ended()
      return reason === null || restarts < restartsMax || restartsMax === 0
        ? reason
        : `${reason}; it was started again ${restartsMax} times, and no more`
    },
    get gone() {
      return current.gone
    },
    output: () => current.output(),
    stop: () => {
      isStopped = true
      return current.stop()
    },
    revive: async () => {
      if (isStopped || current.ended() === null || restarts >= restartsMax) return
      restarts += 1
      // It ends again, or never responds: the next request says so.
      await startAgain().catch(() => {})
    },
    restart: startAgain,
    crash: async () => {
      const reason = await Promise.race([current.gone, realTime.pass(CRASHED_WITHIN_MS).then(() => null)])
      if (reason === null) return null
      const lines = current.output().trimEnd().split('\n')
      return { reason, lastLines: lines.slice(-LAST_LINES).join('\n') }
    },
  }
}
