import { randomInt } from 'node:crypto'
import getPort, { portNumbers } from 'get-port'

/**
 * Below those that the system gives to whoever wants any port, and to each connection: a service that crashes and is started again would
 * otherwise find that another program was given its port meanwhile.
 */
const PORTS = { first: 20_000, last: 29_999 }

/** Returns a TCP port of this machine that nobody listens on, and that nobody in this process was given before. */
export function freePort(): Promise<number> {
  // From anywhere in the range: several of these programs may look at the same time.
  const from = randomInt(PORTS.first, PORTS.last)
  const port = [...portNumbers(from, PORTS.last), ...portNumbers(PORTS.first, from)]
  return getPort({ port, host: '127.0.0.1', reserve: true })
}
