import type { ServiceDeps } from '../deps.ts'
import type { Domain } from '../domain.ts'
import type { ServiceLimits } from '../limits.ts'
import type { Metrics } from '../system/metrics.ts'
import { createAdmission, type Guards } from './admission.ts'
import { createAuthentication } from './authentication.ts'
import { createKeyBudget } from './keyBudget.ts'
import { createPacing, REFUSAL_DELAY_MAX_MS } from './pacing.ts'

/**
 * One life of the service, from its start to its end: its ports, its rules, and the guards with all that they count and remember.
 * The application around it holds none of that.
 */
export interface Life extends Guards {
  readonly deps: ServiceDeps
  readonly domain: Domain
}

/** The life that the application serves right now. A request begins and ends in one and the same. */
export type CurrentLife = () => Life

/** Starts a new life, in which nothing was counted and nothing is remembered. */
export function createLife(
  deps: ServiceDeps,
  domain: Domain,
  limits: ServiceLimits,
  metrics?: Metrics,
): Life {
  const authentication = createAuthentication(domain.partners)
  const pace = createPacing(deps.clock, REFUSAL_DELAY_MAX_MS)
  return {
    deps,
    domain,
    authentication,
    admission: createAdmission(deps, limits, pace, metrics),
    keyBudget: createKeyBudget(deps.clock, limits, authentication, pace),
  }
}
