import { randomInt } from 'node:crypto'
import getPort, { portNumbers } from 'get-port'

/**
 * Below the range from which the system assigns ports to programs and connections: otherwise another program could get the port of
 * a service that crashed and is being restarted.
 */
const PORTS = { first: 20_000, last: 29_999 }

/** Returns a free TCP port of this machine, which this process has not been given before. */
export function freePort(): Promise<number> {
  // From a random place in the range, because several processes may search at the same time.
  const from = randomInt(PORTS.first, PORTS.last)
  const port = [...portNumbers(from, PORTS.last), ...portNumbers(PORTS.first, from)]
  return getPort({ port, host: '127.0.0.1', reserve: true })
}
