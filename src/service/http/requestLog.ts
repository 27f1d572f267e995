import type { FastifyRequest } from 'fastify'
import type { Metrics } from '../system/metrics.ts'
import type { CurrentLife } from './life.ts'
import type { HttpServer } from './server.ts'

/** Logs and counts each response by its route. The log also has the key's id; the URL with its query is never logged. */
export function installRequestLog(app: HttpServer, life: CurrentLife, metrics?: Metrics): void {
  const startedMs = new WeakMap<FastifyRequest, number>()
  app.addHook('onRequest', async (request) => {
    startedMs.set(request, life().deps.clock.monotonicMs())
  })
  app.addHook('onResponse', async (request, reply) => {
    const {
      deps: { clock, log },
      authentication,
    } = life()
    const nowMs = clock.monotonicMs()
    const response = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      durationMs: nowMs - (startedMs.get(request) ?? nowMs),
    }
    metrics?.answered(response)
    log.info('http.request', {
      requestId: request.id,
      ...response,
      keyId: authentication.findCaller(request)?.keyId ?? null,
    })
  })
}
