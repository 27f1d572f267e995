import { createBuilder } from './build/builder.ts'
import { createConfirmer } from './confirm/confirmer.ts'
import type { ServiceDeps } from './deps.ts'
import type { Domain } from './domain.ts'
import { createHealth } from './health.ts'
import { createPartners } from './partners/partners.ts'
import { createQuoter } from './quote/quoter.ts'

/** The rules of the service over their ports; `buildApp` puts HTTP in front of them. */
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
