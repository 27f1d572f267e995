import { allRequirements, type RequirementId } from '../src/spec/requirements/index.ts'
import { conformanceChecks } from './index.ts'

/** Every `must` that no case of the suite lists, and why. A test holds this list to the truth, so that it only shrinks. */
export const NOT_YET_EXERCISED: Readonly<Partial<Record<RequirementId, string>>> = {
  'limits.quote-duration':
    'No fault of the world makes a single venue hang; the clock of a world stands still meanwhile.',
  'limits.build-duration':
    'No fault of the world makes a single venue hang; the clock of a world stands still meanwhile.',
}

/** The ids of all `must` requirements that no case lists. */
export function unexercised(): readonly RequirementId[] {
  const listed = new Set(conformanceChecks().flatMap(({ requirements }) => requirements))
  return allRequirements()
    .filter(({ id, level }) => level === 'must' && !listed.has(id))
    .map(({ id }) => id)
}
