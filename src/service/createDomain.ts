import { createBuilder } from './build/builder.ts'
import { createConfirmer } from './confirm/confirmer.ts'
import type { ServiceDeps } from './deps.ts'
import type { Domain } from './domain.ts'
import { createHealth } from './health.ts'
import { createPartners } from './partners/partners.ts'
import { createQuoter } from './quote/quoter.ts'

/** Returns the service's rules on top of its ports, without HTTP; `buildApp` adds HTTP. */
export function createDomain(deps: ServiceDeps): Domain {
  const quoter = createQuoter(deps)
  return {
    quoter,
    builder: createBuilder(deps, quoter),
    confirmer: createConfirmer(deps),
    partners: createPartners(deps),
    health: createHealth(deps),
  }
}
