import { tolerancesOf } from '../tolerances.ts'
import { ACCEPTED } from './accepted.ts'
import { assertedAs, type RequirementId, requirement } from './index.ts'

/** Advice on a requirement: the behaviour that keeps it, its tolerances, and the readings that pass; a sentence each. */
export type Guidance = readonly (readonly [label: 'to pass' | 'tolerance' | 'accepted', text: string])[]

/** Returns the guidance on a requirement, as every failure and `plumbline explain` show it. */
export function guidanceOf(id: RequirementId): Guidance {
  const asserted = assertedAs(id)
  const { statement, convention } = requirement(asserted)
  const accepted = [...(ACCEPTED[asserted] ?? []), ...(convention?.accepts ?? [])]
  return [
    ['to pass', statement],
    ...tolerancesOf(asserted).map(
      ({ figure, accepted: within }) => ['tolerance', `${figure}: ${within}`] as const,
    ),
    ...(accepted.length === 0 ? [] : [['accepted', accepted.join('; ')] as const]),
  ]
}
