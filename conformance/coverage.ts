import { allRequirements, type RequirementId } from '../src/spec/requirements/index.ts'
import { conformanceCases } from './index.ts'

/** The ids of all `must` requirements that no case lists. */
export function unexercised(): readonly RequirementId[] {
  const listed = new Set(conformanceCases().flatMap(({ requirements }) => requirements))
  return allRequirements()
    .filter(({ id, level }) => level === 'must' && !listed.has(id))
    .map(({ id }) => id)
}
