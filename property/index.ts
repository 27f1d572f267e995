import { propertyCheck } from '../src/harness/properties.ts'
import type { Check } from '../src/harness/suite.ts'
import type { World } from '../src/simulation/world.ts'
import { buildKeepsItsPromises, marketNeverBuilds } from './builds.ts'
import { quoteKeepsItsPromises } from './quotes.ts'

/** Every property as a check, its inputs drawn from the run's seed. */
export function properties(seed: number): readonly Check<World>[] {
  return [
    propertyCheck(quoteKeepsItsPromises, seed),
    propertyCheck(buildKeepsItsPromises, seed),
    propertyCheck(marketNeverBuilds, seed),
  ]
}
