import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { CAPABILITIES, type Capability, type Need } from '../spec/requirements/index.ts'
import type { TargetDescription, TargetKeys } from './description.ts'
import type { Part } from './environment/environment.ts'

/** The parts and capabilities of a target that a run can use. */
export interface TargetScope {
  readonly reach: Need
  readonly capabilities: ReadonlySet<Capability>
  readonly parts: ReadonlySet<Part>
}

/** Capabilities of the reference: it serves everything that the specification names. */
export const EVERY_CAPABILITY: ReadonlySet<Capability> = new Set<Capability>(CAPABILITIES)

/** Maximum number of requests of a run in the profile http. */
export const HTTP_REQUESTS_MAX = 600

/** Parts that every target has in a profile. This is the only place that maps profiles to parts. */
const PARTS_OF_PROFILE: Readonly<Record<Need, readonly Part[]>> = {
  http: ['fresh'],
  sandbox: ['fresh', 'control'],
}

/**
 * Returns what a run can use of a target.
 *
 * @param has `line`: faults can be injected into its line. Default, before it is started: as the profile says. `restart`: the
 * run starts it, and can do so again. Default: no.
 */
export function targetScope(
  reach: Need,
  { capabilities, revokeKey }: Pick<TargetDescription, 'revokeKey'> & { capabilities: Iterable<Capability> },
  { legacy, retiring, successor }: TargetKeys,
  {
    line = reach === 'sandbox',
    restart = false,
  }: { readonly line?: boolean; readonly restart?: boolean } = {},
): TargetScope {
  const parts = new Set<Part>(PARTS_OF_PROFILE[reach])
  if (line) parts.add('line')
  if (restart && reach === 'sandbox') parts.add('restart')
  if (legacy !== undefined) parts.add('legacyKey')
  if (retiring !== undefined && successor !== undefined) parts.add('spareKeys')
  if (revokeKey !== undefined) parts.add('revokeKey')
  return { reach, capabilities: new Set(capabilities), parts }
}

/** Returns what a run can use of a client, whose cases have the reference as their service. */
export function clientScope(): TargetScope {
  const parts = new Set<Part>(['program', 'control', 'legacyKey'])
  return { reach: 'sandbox', capabilities: EVERY_CAPABILITY, parts }
}

/** Returns what a run can use of the reference in this process, whose keys the harness revokes itself. */
export function referenceScope(reach: Need): TargetScope {
  const scope = targetScope(reach, { capabilities: EVERY_CAPABILITY, revokeKey: '' }, PARTNER_KEYS, {
    restart: true,
  })
  return reach === 'sandbox'
    ? { ...scope, parts: new Set<Part>([...scope.parts, 'inside', 'program']) }
    : scope
}
