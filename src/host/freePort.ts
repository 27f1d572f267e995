import getPort from 'get-port'

/** Returns a TCP port of this machine that nobody listens on, and that nobody in this process was given before. */
export function freePort(): Promise<number> {
  return getPort({ host: '127.0.0.1', reserve: true })
}
