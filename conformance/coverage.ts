import { allRequirements, assertedAs, isJudged, type RequirementId } from '../src/spec/requirements/index.ts'
import { conformanceCases } from './index.ts'

/** Returns the ids of all judged requirements that no case lists, by themselves or by what they restate. */
export function unexercised(): readonly RequirementId[] {
  const listed = new Set(conformanceCases().flatMap(({ requirements }) => requirements))
  return allRequirements()
    .filter(({ id, level }) => isJudged(level) && !listed.has(assertedAs(id)))
    .map(({ id }) => id)
}
