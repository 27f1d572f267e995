import { type Capability, type Need, type RequirementId, requirement } from '../spec/requirements/index.ts'
import type { Power } from '../targets/environment.ts'
import type { Means } from '../targets/means.ts'
import type { Case } from './case.ts'

/** A case of a run, and why it is not put; null: it is put. */
export interface PlannedCase {
  readonly testCase: Case
  readonly notApplicable: string | null
}

const REACH: readonly Need[] = ['http', 'chain', 'sandbox']

/** Every power, and what is missing without it. */
const WITHOUT: Readonly<Record<Power, string>> = {
  'line-faults': "the harness does not hold the target's line to its chain",
  'legacy-key': 'no legacy key was given',
  'spare-keys': 'no two keys of a third partner were given',
  'revoke-key': 'nobody said how a key is revoked',
  inside: 'it needs the inside of the service',
}

/** Decides for each case whether it is put to a target of these means. */
export function planCases(cases: readonly Case[], means: Means): readonly PlannedCase[] {
  return cases.map((testCase) => ({ testCase, notApplicable: obstacleTo(testCase, means) }))
}

function obstacleTo(
  { needs = 'sandbox', powers = [], requirements, capabilities = [], inside }: Case,
  means: Means,
) {
  if (inside !== undefined && !means.powers.has('inside')) return `${WITHOUT.inside}: ${inside}`
  if (REACH.indexOf(needs) > REACH.indexOf(means.reach)) return `needs the profile ${needs}`
  const undeclared = undeclaredOf(requirements, capabilities, means)
  if (undeclared !== undefined) return `the capability ${undeclared} is not declared`
  const missing = powers.find((power) => !means.powers.has(power))
  return missing === undefined ? null : WITHOUT[missing]
}

/**
 * A capability that the case cannot do without: the first requirement of its list is the one that it asks about. Others
 * on the list are judged along the way, where the capability is there.
 */
function undeclaredOf(
  [asked]: readonly RequirementId[],
  capabilities: readonly Capability[],
  means: Means,
): Capability | undefined {
  const own = asked === undefined ? undefined : requirement(asked).capability
  const needed = own === undefined ? capabilities : [own, ...capabilities]
  return needed.find((capability) => !means.capabilities.has(capability))
}
