import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

const listened = new WeakSet<Socket>()

/**
 * Keeps this process running when the other side responds before it has read the whole request, and closes: after the response
 * has ended, Node no longer passes connection errors to the request, and an unhandled one would end the process.
 */
export function surviveSocketErrors(request: ClientRequest): void {
  request.on('socket', (socket) => {
    // A kept-alive connection serves many requests.
    if (listened.has(socket)) return
    listened.add(socket)
    socket.on('error', () => {})
  })
}
