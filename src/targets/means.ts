import type { Capability, Need } from '../spec/requirements/index.ts'
import type { TargetDescription, TargetKeys } from './description.ts'
import type { Power } from './environment.ts'

/** What a run has at hand. */
export interface Means {
  readonly reach: Need
  readonly capabilities: ReadonlySet<Capability>
  readonly powers: ReadonlySet<Power>
}

/** What a run in the profile http sends at most. */
export const HTTP_REQUESTS_MAX = 600

/** What the harness holds in its hands of the reference. */
export const EVERY_POWER: ReadonlySet<Power> = new Set<Power>([
  'line-faults',
  'legacy-key',
  'spare-keys',
  'revoke-key',
  'inside',
])

/** What there will be at hand of an implementation outside of this harness, known before it is started. */
export function outsideMeans(reach: Need, description: TargetDescription, keys: TargetKeys): Means {
  return {
    reach,
    capabilities: new Set(description.capabilities),
    powers: new Set([
      ...(reach === 'sandbox' ? (['line-faults'] as const) : []),
      ...(keys.legacy === undefined ? [] : (['legacy-key'] as const)),
      ...(keys.retiring && keys.successor ? (['spare-keys'] as const) : []),
      ...(description.revokeKey === undefined ? [] : (['revoke-key'] as const)),
    ]),
  }
}
