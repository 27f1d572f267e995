import { allRequirements, isJudged, type RequirementId } from '../src/spec/requirements/index.ts'
import { conformanceCases } from './index.ts'

/** Returns the ids of all judged requirements that no case lists. */
export function unexercised(): readonly RequirementId[] {
  const listed = new Set(conformanceCases().flatMap(({ requirements }) => requirements))
  return allRequirements()
    .filter(({ id, level }) => isJudged(level) && !listed.has(id))
    .map(({ id }) => id)
}
