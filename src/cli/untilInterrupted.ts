/**
 * Waits for SIGINT or SIGTERM, or for `ended`, which ends by itself. A second signal is left to the system: whoever
 * presses twice means it.
 *
 * @returns what `ended` came to, or null when interrupted.
 */
export function untilInterrupted<T>(ended: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const finish = (value: T | null) => {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
      resolve(value)
    }
    const interrupt = () => finish(null)
    process.once('SIGINT', interrupt)
    process.once('SIGTERM', interrupt)
    ended.then(finish, reject)
  })
}
