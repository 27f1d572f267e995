import { allRequirements, assertedAs, isJudged, type RequirementId } from '../src/spec/requirements/index.ts'
import { casesForClients } from './client/index.ts'
import { conformanceCases } from './index.ts'

/** Returns the ids of all judged requirements that no case lists, directly or through the requirement they restate. */
export function unexercised(): readonly RequirementId[] {
  const listed = new Set(
    [...conformanceCases(), ...casesForClients()].flatMap(({ requirements }) => requirements),
  )
  return allRequirements()
    .filter(({ id, level }) => isJudged(level) && !listed.has(assertedAs(id)))
    .map(({ id }) => id)
}
