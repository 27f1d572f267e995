import http from 'node:http'
import type { Socket } from 'node:net'
import type { ServiceLimits } from '../limits.ts'
import { PARSER_OPTIONS } from './protocol.ts'

/** Time that a client may keep an idle connection open between two requests. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/** Time after which a connection without traffic in either direction is closed. Longer than any request may take. */
const SILENCE_TIMEOUT_MS = 90_000
/** Node checks its time limits at an interval; a limit may be exceeded by one interval. */
const CHECKS_PER_TIMEOUT = 10

/** A listening server that limits its connections in number and time, and can close them without their clients' help. */
export interface LimitedServer {
  readonly server: http.Server
  /**
   * Closes every connection without a request in progress, even if nothing was sent on it yet, and each of the others once its
   * request has its response.
   */
  drain(): void
}

type ConnectionLimits = Pick<ServiceLimits, 'connectionsMax' | 'requestTimeoutMs'>

/** Tracks connections itself: Node's `closeIdleConnections` leaves a connection open on which nothing was ever sent. */
export function createLimitedServer(
  handler: http.RequestListener,
  { connectionsMax, requestTimeoutMs }: ConnectionLimits,
): LimitedServer {
  const server = http.createServer(
    {
      ...PARSER_OPTIONS,
      requestTimeout: requestTimeoutMs,
      // Node's default for the headers, a minute, would be the longer of the two limits.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(requestTimeoutMs / CHECKS_PER_TIMEOUT),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    handler,
  )
  server.timeout = SILENCE_TIMEOUT_MS
  // Their size is limited instead. Beyond a maximum number, Node 20 drops headers and Node 24 refuses the request.
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
