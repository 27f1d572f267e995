import type { ServiceDeps } from './deps.ts'
import type { Domain } from './domain.ts'
import { createAdmission } from './http/admission.ts'
import { createAuthentication } from './http/authentication.ts'
import { installBudget } from './http/budget.ts'
import { routeBuild } from './http/build.ts'
import { routeConfirm } from './http/confirm.ts'
import { installDocs } from './http/docs.ts'
import { routeHealth } from './http/health.ts'
import { createKeyBudget } from './http/keyBudget.ts'
import { routeMetrics } from './http/metrics.ts'
import { routeOverview } from './http/overview.ts'
import { createPacing, REFUSAL_DELAY_MAX_MS } from './http/pacing.ts'
import { routeQuote } from './http/quote.ts'
import { routeReport } from './http/report.ts'
import { installRequestLog } from './http/requestLog.ts'
import { createServer, type HttpServer } from './http/server.ts'
import { DEFAULT_LIMITS, type ServiceLimits } from './limits.ts'
import type { Metrics } from './system/metrics.ts'

export interface AppOptions {
  /** Serves a documentation page at /docs. The OpenAPI document is always at /openapi.json. */
  readonly docsPage?: boolean
  /** How much it takes on at a time. */
  readonly limits?: ServiceLimits
  /** Counts what it does, and serves the counts at /metrics. */
  readonly metrics?: Metrics
}

/**
 * The whole service as an HTTP application that is not listening yet: call `inject` or `listen`. It takes time,
 * identifiers, chain and store only from `deps`.
 */
export async function buildApp(
  deps: ServiceDeps,
  domain: Domain,
  options: AppOptions = {},
): Promise<HttpServer> {
  const { limits = DEFAULT_LIMITS, docsPage = false, metrics } = options
  const app = createServer(deps, limits)
  const authentication = createAuthentication(domain.partners)
  const pace = createPacing(deps.clock, REFUSAL_DELAY_MAX_MS)
  installRequestLog(app, deps, authentication, metrics)
  await installDocs(app, { page: docsPage })
  await installBudget(app, deps)
  const guards = {
    admission: createAdmission(deps, limits, pace, metrics),
    authentication,
    keyBudget: createKeyBudget(deps.clock, limits, authentication, pace),
  }
  routeQuote(app, domain, guards, deps.log)
  routeBuild(app, domain, guards, deps.log)
  routeConfirm(app, domain, guards, deps)
  routeReport(app, domain, authentication, deps.log)
  routeHealth(app, domain, deps.log)
  if (metrics !== undefined) routeMetrics(app, metrics)
  routeOverview(app, {
    ...(docsPage && { documentation: '/docs' }),
    ...(metrics !== undefined && { metrics: '/metrics' }),
  })
  return app
}
