const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Waits for SIGINT, SIGTERM or SIGHUP (the terminal was closed), or for `ended`. A second signal is not caught, so that pressing
 * Ctrl-C twice ends the process.
 *
 * @returns the value of `ended`, or null if interrupted.
 */
export function untilInterrupted<T>(ended: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const finish = (value: T | null) => {
      for (const signal of SIGNALS) process.off(signal, interrupt)
      resolve(value)
    }
    // After all listeners have received the signal: a library that starts processes ends this process if it is the only listener.
    const interrupt = () => setImmediate(() => finish(null))
    for (const signal of SIGNALS) process.on(signal, interrupt)
    ended.then(finish, reject)
  })
}
