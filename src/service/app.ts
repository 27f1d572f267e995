import type { ServiceDeps } from './deps.ts'
import type { Domain } from './domain.ts'
import { installBudget } from './http/budget.ts'
import { routeBuild } from './http/build.ts'
import { routeConfirm } from './http/confirm.ts'
import { installDocs } from './http/docs.ts'
import { routeHealth } from './http/health.ts'
import { type CurrentLife, createLife } from './http/life.ts'
import { routeMetrics } from './http/metrics.ts'
import { routeOverview } from './http/overview.ts'
import { routeQuote } from './http/quote.ts'
import { routeReport } from './http/report.ts'
import { installRequestLog } from './http/requestLog.ts'
import { createServer, type HttpServer } from './http/server.ts'
import { DEFAULT_LIMITS, type ServiceLimits } from './limits.ts'
import type { Metrics } from './system/metrics.ts'

export interface AppOptions {
  /** Serves a documentation page at /docs. The OpenAPI document is always at /openapi.json. */
  readonly docsPage?: boolean
  readonly limits?: ServiceLimits
  /** Counts responses, refusals and calls, and serves the counts at /metrics. */
  readonly metrics?: Metrics
}

/**
 * Returns the whole service as an HTTP application that is not listening yet: call `inject` or `listen`. It takes time,
 * identifiers, chain and store only from `deps`.
 */
export function buildApp(deps: ServiceDeps, domain: Domain, options: AppOptions = {}): Promise<HttpServer> {
  const life = createLife(deps, domain, options.limits ?? DEFAULT_LIMITS, options.metrics)
  return buildAppFor(() => life, options)
}

/** Returns the same application for a service that can be replaced: `life` returns the current one at every use. */
export async function buildAppFor(life: CurrentLife, options: AppOptions = {}): Promise<HttpServer> {
  const { limits = DEFAULT_LIMITS, docsPage = false, metrics } = options
  const app = createServer(life, limits)
  installRequestLog(app, life, metrics)
  await installDocs(app, { page: docsPage })
  await installBudget(app, life)
  routeQuote(app, life)
  routeBuild(app, life)
  routeConfirm(app, life)
  routeReport(app, life)
  routeHealth(app, life)
  if (metrics !== undefined) routeMetrics(app, metrics)
  routeOverview(app, {
    ...(docsPage && { documentation: '/docs' }),
    ...(metrics !== undefined && { metrics: '/metrics' }),
  })
  return app
}
