import { type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { ServiceLimits } from '../limits.ts'
import { createLimitedServer, type LimitedServer } from './connections.ts'
import { answerErrors } from './errors.ts'
import type { CurrentLife } from './life.ts'
import { createProtocol } from './protocol.ts'

/** Far more than needed: the bodies of this interface are a few hundred bytes. */
export const BODY_BYTES_MAX = 64 * 1024

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export type HttpServer = ReturnType<typeof createServer>

/**
 * Returns the HTTP server without routes: request parsing, and the headers of every response. Time and identifiers come from
 * the ports, so that the same ports and requests give the same response bytes.
 */
export function createServer(life: CurrentLife, limits: ServiceLimits) {
  let listening: LimitedServer | undefined
  const stamp = (request: FastifyRequest, reply: FastifyReply) =>
    reply
      .header('x-request-id', request.id)
      .header('date', new Date(life().deps.clock.nowMs()).toUTCString())
      .header('cache-control', 'no-store')

  const protocol = createProtocol({
    after: (delayMs, callback) => life().deps.clock.after(delayMs, callback),
  })
  const app = fastify({
    logger: false,
    genReqId: () => life().deps.ids.uuid(),
    bodyLimit: BODY_BYTES_MAX,
    serverFactory: (handler) => {
      listening = createLimitedServer(handler, limits)
      return listening.server
    },
    // A request that was sent before the service began to stop is in progress, and gets its response.
    return503OnClosing: false,
    // Unknown fields are ignored, `__proto__` and `constructor` included.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    frameworkErrors: (error, request, reply) =>
      stamp(request, reply)
        .code(error.statusCode ?? 400)
        .send({ error: 'the address of the request is malformed' }),
    clientErrorHandler: protocol.clientErrorHandler,
  }).withTypeProvider<ZodTypeProvider>()

  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(validatorCompiler)
  // Responses are built from typed values and checked by the suite; validating each one here would slow every request.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))

  app.addHook('onRequest', async (request, reply) => {
    stamp(request, reply)
  })
  protocol.install(app)
  // Otherwise the service would wait until its clients close their connections.
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
    listening?.drain()
  })
  app.addHook('onSend', async (_request, reply, payload) => {
    if (closing) reply.header('connection', 'close')
    return payload
  })
  app.setErrorHandler(answerErrors('other', life))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? request.url
    // The router reads an asterisk or a colon as part of a pattern, and no served path has one.
    const allowed = /[*:]/.test(path) ? [] : METHODS.filter((method) => app.hasRoute({ method, url: path }))
    if (allowed.length === 0) return reply.code(404).send({ error: `there is nothing at ${path}` })
    return reply
      .code(405)
      .header('allow', allowed.join(', '))
      .send({ error: `${request.method} is not served at ${path}; use ${allowed.join(' or ')}` })
  })
  return app
}
