import type { Metrics } from '../system/metrics.ts'
import type { HttpServer } from './server.ts'

/** GET /metrics: the service's counters, for Prometheus. Needs no key. */
export function routeMetrics(app: HttpServer, metrics: Metrics): void {
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    const { contentType, text } = await metrics.read()
    return reply.type(contentType).send(text)
  })
}
