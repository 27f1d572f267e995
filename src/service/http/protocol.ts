import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../ports.ts'

/** With this, the service responds to a request without `Host`; otherwise Node does, with an empty body. */
export const PARSER_OPTIONS = { requireHostHeader: false } as const

/** Time that a client may go on sending a request that already has its response before its connection is closed. */
const LINGER_MS = 1_000

type Answer = readonly [status: number, error: string]

/** Responses to errors of the HTTP parser. Every other parse error is 400. */
const PARSE_ERRORS: Readonly<Record<string, Answer>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'the address and the headers of the request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the chunk extensions of the request are too large'],
  HPE_INVALID_VERSION: [505, 'the HTTP version is not supported; use HTTP/1.1'],
}
const MALFORMED: Answer = [400, 'the request is not well-formed HTTP']
const NO_TUNNELS: Answer = [405, 'CONNECT is not served']

export interface Protocol {
  readonly clientErrorHandler: (error: Error & { code?: string }, socket: Socket) => void
  install(app: Pick<FastifyInstance, 'server' | 'addHook'>): void
}

/**
 * Responds where Node would respond without a body, or not at all: malformed HTTP, a late request, an unknown `Expect`, a
 * missing `Host`, and CONNECT. Each gets the body `{ error }`.
 */
export function createProtocol(clock: Pick<Clock, 'after'>): Protocol {
  const inProgress = new WeakMap<Socket, Set<ServerResponse>>()
  const ended = new WeakSet<Socket>()

  /** Responds and closes the connection, after the responses to earlier requests on it. */
  const end = (socket: Socket, answer: Answer): void => {
    ended.add(socket)
    const [first] = inProgress.get(socket) ?? []
    if (first?.req.complete) {
      first.once('close', () => end(socket, answer))
      return
    }
    if (first?.headersSent || !socket.writable) {
      socket.destroy()
      return
    }
    socket.end(rawAnswer(answer))
    const cancel = clock.after(LINGER_MS, () => socket.destroy())
    socket.once('close', cancel)
  }

  return {
    clientErrorHandler: (error, socket) => {
      const { code = '' } = error
      // Further errors on a connection that already got an error response are not new ones.
      if (ended.has(socket)) return
      if (code.startsWith('HPE_') || code in PARSE_ERRORS) end(socket, PARSE_ERRORS[code] ?? MALFORMED)
      else socket.destroy()
    },
    install: (app) => {
      const { server } = app
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const responses = inProgress.get(request.socket) ?? new Set()
        inProgress.set(request.socket, responses.add(response))
        response.once('close', () => responses.delete(response))
      })
      server.on('checkExpectation', (request, response) => {
        server.emit('request', request, response)
      })
      server.on('connect', (_request, socket: Socket) => {
        // Node has removed its listener: an error without a listener would end the process.
        socket.on('error', () => socket.destroy())
        end(socket, NO_TUNNELS)
      })
      app.addHook('onRequest', async (request, reply) => refuse(request, reply))
    },
  }
}

/** §7 lists no status for these; they are HTTP's own. */
function refuse({ headers, raw }: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const { expect, host } = headers
  if (expect !== undefined && !/^100-continue$/i.test(expect)) {
    return reply.code(417).send({ error: 'header Expect: only 100-continue is served' })
  }
  if (host === undefined && raw.httpVersion === '1.1') {
    return reply.code(400).send({ error: 'header Host: is required' })
  }
  return undefined
}

function rawAnswer([status, error]: Answer): string {
  const body = JSON.stringify({ error })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
