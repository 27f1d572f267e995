import type { World } from '../simulation/world.ts'
import type { Case } from './case.ts'
import { keptCheck, readKeptFailures } from './keptFailure.ts'
import { isToldOutside, keysFor, tellOutside } from './outsideStory.ts'
import { scenarioCheck } from './scenario.ts'
import type { Scenario } from './scenarioFile.ts'
import { KEPT_FOLDER, namedScenarios } from './scenarioFolder.ts'
import type { Check } from './suite.ts'

/** Scenarios as cases of a target. Those that reach into the service, or its line, need a service in this process. */
export function scenarioCases(
  seed: number,
  scenarios: readonly Scenario[] = namedScenarios(),
): readonly Case[] {
  return scenarios.map((scenario): Case => {
    const check = scenarioCheck(scenario, seed)
    const outside = isToldOutside(scenario)
    return {
      ...check,
      ...(outside
        ? { capabilities: ['attribution'] as const, uses: ['control' as const, ...keysFor(scenario)] }
        : {
            uses: ['inside' as const],
            reason: 'the scenario controls the clock, the chain connection or the store of the service',
          }),
      run: (environment) => {
        if (environment.inside !== null) return check.run(environment.inside)
        if (!outside) throw new RangeError('this service has no inside')
        return tellOutside(environment, scenario)
      },
    }
  })
}

/**
 * Every kept failure, then every scenario, as a check of a world, which it resets first. `seed` decides the identifiers
 * that the service gives out; a kept failure has its own.
 *
 * @throws {KeptFailureError} a file among the kept failures is malformed.
 */
export function scenarioChecks(seed = 1): readonly Check<World>[] {
  return [
    ...readKeptFailures(KEPT_FOLDER).map(keptCheck),
    ...namedScenarios().map((scenario) => scenarioCheck(scenario, seed)),
  ]
}
