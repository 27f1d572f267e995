const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Waits for SIGINT, SIGTERM, or SIGHUP of a terminal that is closed, or for `ended`, which ends by itself. A second signal
 * is left to the system: whoever presses twice means it.
 *
 * @returns what `ended` came to, or null when interrupted.
 */
export function untilInterrupted<T>(ended: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const finish = (value: T | null) => {
      for (const signal of SIGNALS) process.off(signal, interrupt)
      resolve(value)
    }
    const interrupt = () => finish(null)
    for (const signal of SIGNALS) process.once(signal, interrupt)
    ended.then(finish, reject)
  })
}
