import { realTime } from '../realTime.ts'
import type { Crash } from '../transports/httpTransport.ts'
import type { SpawnedProcess } from './spawnedProcess.ts'

/** Maximum number of times that a service which ended by itself is started again in one run. */
export const RESTARTS_MAX = 10
/** Time that a process may take to end after its connection broke off. */
const CRASHED_WITHIN_MS = 200
const LAST_LINES = 5

/** A process that is started again after it ended by itself. */
export interface RestartingProcess extends SpawnedProcess {
  /** Starts it again if it has ended, and waits until it is ready. It stays ended if that fails, or after too many times. */
  revive(): Promise<void>
  /** Ends it, starts it again, and waits until it is ready. @throws the error of `untilReady`. */
  restart(): Promise<void>
  /** Returns the reason that it just ended, with its last lines of output; null: it runs. */
  crash(): Promise<Crash | null>
}

/**
 * Keeps a service running, so that one crash ends one case and not the run.
 *
 * @param spawn starts it; `again` is true for all but the first time.
 * @param untilReady resolves once it responds; rejects if it does not.
 * @param restartsMax maximum number of times that it is started again.
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
    // If the run ends meanwhile, nothing may be left behind.
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
      // If it ends again, or never responds, the next request reports it.
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
