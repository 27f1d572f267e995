import type { Capability, Need } from '../spec/requirements/index.ts'
import type { TargetDescription, TargetKeys } from './description.ts'
import type { Part } from './environment.ts'

/** What a run can use of its target. */
export interface Means {
  readonly reach: Need
  readonly capabilities: ReadonlySet<Capability>
  readonly parts: ReadonlySet<Part>
}

/** What a run in the profile http sends at most. */
export const HTTP_REQUESTS_MAX = 600

/** The parts that every target has in a profile: the one place where profiles become parts. */
const PARTS_OF_PROFILE: Readonly<Record<Need, readonly Part[]>> = {
  http: ['fresh'],
  chain: ['fresh', 'chain'],
  sandbox: ['fresh', 'chain', 'control'],
}

/** The reference in this process has every part that the profile lets it have. */
export function referenceParts(profile: Need): ReadonlySet<Part> {
  const keys = ['legacyKey', 'spareKeys', 'revokeKey'] as const
  const inside = profile === 'sandbox' ? (['line', 'inside'] as const) : []
  return new Set<Part>([...PARTS_OF_PROFILE[profile], ...keys, ...inside])
}

/** The parts of a target outside of this process. */
export function outsideParts(
  profile: Need,
  has: { readonly line: boolean; readonly keys: TargetKeys; readonly revokeKey: boolean },
): ReadonlySet<Part> {
  const { legacy, retiring, successor } = has.keys
  const parts = new Set<Part>(PARTS_OF_PROFILE[profile])
  if (has.line) parts.add('line')
  if (legacy !== undefined) parts.add('legacyKey')
  if (retiring !== undefined && successor !== undefined) parts.add('spareKeys')
  if (has.revokeKey) parts.add('revokeKey')
  return parts
}

/** What there will be of an implementation outside of this process, known before it is started. */
export function outsideMeans(reach: Need, description: TargetDescription, keys: TargetKeys): Means {
  return {
    reach,
    capabilities: new Set(description.capabilities),
    parts: outsideParts(reach, {
      line: reach === 'sandbox',
      keys,
      revokeKey: description.revokeKey !== undefined,
    }),
  }
}
