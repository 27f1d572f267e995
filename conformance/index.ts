import type { Check } from '../src/harness/suite.ts'
import type { World } from '../src/simulation/world.ts'
import { fallThroughChecks, venueFaultChecks } from './build/fallThrough.ts'
import { minimumChecks } from './build/minimum.ts'

/** Every case of the suite, in the order of the specification's subjects. Each expects a world as it was at the start. */
export function conformanceChecks(): readonly Check<World>[] {
  return [...minimumChecks, ...fallThroughChecks, ...venueFaultChecks]
}
