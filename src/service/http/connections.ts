import http from 'node:http'
import type { Socket } from 'node:net'
import type { ServiceLimits } from '../limits.ts'
import { PARSER_OPTIONS } from './protocol.ts'

/** A client may leave a connection open between two requests for this long. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Ends a connection on which nothing moves in either direction. Longer than any request may take. */
const SILENCE_TIMEOUT_MS = 90_000
/** Node compares its time limits with the clock at an interval; each limit holds to within one of these. */
const CHECKS_PER_TIMEOUT = 10

/** A listening server whose connections are limited in number and time, and can be closed without their clients' help. */
export interface LimitedServer {
  readonly server: http.Server
  /**
   * Closes every connection without a request in progress, also those on which nothing was sent yet, and each of the others
   * once its request is answered.
   */
  drain(): void
}

type ConnectionLimits = Pick<ServiceLimits, 'connectionsMax' | 'requestTimeoutMs'>

/** Node's own `closeIdleConnections` leaves a connection open on which nothing was ever sent, so this follows them itself. */
export function createLimitedServer(
  handler: http.RequestListener,
  { connectionsMax, requestTimeoutMs }: ConnectionLimits,
): LimitedServer {
  const server = http.createServer(
    {
      ...PARSER_OPTIONS,
      requestTimeout: requestTimeoutMs,
      // Node's default of a minute for the headers would be the longer limit of the two.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(requestTimeoutMs / CHECKS_PER_TIMEOUT),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    handler,
  )
  server.timeout = SILENCE_TIMEOUT_MS
  // Their size is limited. Past a number of them Node 20 would drop the rest, the key among them, and Node 24 refuse the request.
  server.maxHeadersCount = 0
  server.maxConnections = connectionsMax

  const inProgress = new Map<Socket, number>()
  let draining = false
  server.on('connection', (socket) => {
    inProgress.set(socket, 0)
    socket.once('close', () => inProgress.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    inProgress.set(socket, (inProgress.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (inProgress.get(socket) ?? 1) - 1
      if (inProgress.has(socket)) inProgress.set(socket, left)
      if (draining && left === 0) socket.destroySoon()
    })
  })
  return {
    server,
    drain() {
      draining = true
      for (const [socket, requests] of inProgress) if (requests === 0) socket.destroy()
    },
  }
}
