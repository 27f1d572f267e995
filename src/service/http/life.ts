import type { ServiceDeps } from '../deps.ts'
import type { Domain } from '../domain.ts'
import type { ServiceLimits } from '../limits.ts'
import type { Metrics } from '../system/metrics.ts'
import { createAdmission, type Guards } from './admission.ts'
import { createAuthentication } from './authentication.ts'
import { createKeyBudget } from './keyBudget.ts'
import { createPacing, REFUSAL_DELAY_MAX_MS } from './pacing.ts'

/**
 * The state of the service from one start to its stop: its ports, its rules, and the guards with their counters and caches. The
 * application around it holds no such state.
 */
export interface Life extends Guards {
  readonly deps: ServiceDeps
  readonly domain: Domain
}

/** Returns the life that the application serves now. A request begins and ends in the same life. */
export type CurrentLife = () => Life

/** Starts a new life, with all counters at zero and all caches empty. */
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
