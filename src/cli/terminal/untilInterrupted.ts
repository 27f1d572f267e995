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
    // Only once all listeners have got the signal: a library that starts processes ends this one where it alone listens.
    const interrupt = () => setImmediate(() => finish(null))
    for (const signal of SIGNALS) process.on(signal, interrupt)
    ended.then(finish, reject)
  })
}
