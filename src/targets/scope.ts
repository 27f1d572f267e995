import type { Capability, Need } from '../spec/requirements/index.ts'
import type { TargetDescription, TargetKeys } from './description.ts'
import type { Part } from './environment/environment.ts'

/** Describes what a run can use of its target. */
export interface TargetScope {
  readonly reach: Need
  readonly capabilities: ReadonlySet<Capability>
  readonly parts: ReadonlySet<Part>
}

/** What a run in the profile http sends at most. */
export const HTTP_REQUESTS_MAX = 600

/** The parts that every target has in a profile: the one place where profiles become parts. */
const PARTS_OF_PROFILE: Readonly<Record<Need, readonly Part[]>> = {
  http: ['fresh'],
  sandbox: ['fresh', 'control'],
}

/** The reference in this process has every part that the profile lets it have. */
export function referenceParts(profile: Need): ReadonlySet<Part> {
  const keys = ['legacyKey', 'spareKeys', 'revokeKey'] as const
  const inside = profile === 'sandbox' ? (['line', 'inside'] as const) : []
  return new Set<Part>([...PARTS_OF_PROFILE[profile], ...keys, ...inside])
}

/**
 * Returns what there is of an implementation outside of this process.
 *
 * @param hasLine whether faults can be injected into its line; default: as the profile says, before it is started.
 */
export function outsideScope(
  reach: Need,
  { capabilities, revokeKey }: TargetDescription,
  { legacy, retiring, successor }: TargetKeys,
  hasLine = reach === 'sandbox',
): TargetScope {
  const parts = new Set<Part>(PARTS_OF_PROFILE[reach])
  if (hasLine) parts.add('line')
  if (legacy !== undefined) parts.add('legacyKey')
  if (retiring !== undefined && successor !== undefined) parts.add('spareKeys')
  if (revokeKey !== undefined) parts.add('revokeKey')
  return { reach, capabilities: new Set(capabilities), parts }
}
