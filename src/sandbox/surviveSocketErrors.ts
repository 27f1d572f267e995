import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

const listened = new WeakSet<Socket>()

/**
 * Keeps this process alive when the other side answers a request before it has read it, and closes: once the answer has
 * ended, Node no longer gives an error of the connection to the request, and ends the process with it.
 */
export function surviveSocketErrors(request: ClientRequest): void {
  request.on('socket', (socket) => {
    // A connection that is kept open serves many requests.
    if (listened.has(socket)) return
    listened.add(socket)
    socket.on('error', () => {})
  })
}
