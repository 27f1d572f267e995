import type { Case } from '../src/runner/case.ts'
import { isToldOutside, powersFor, tellOutside } from '../src/runner/outsideStory.ts'
import { scenarioCheck } from '../src/runner/scenario.ts'
import { SCENARIOS } from './index.ts'

/** Every story as a case of a target. Those that reach into the service, or its line, need a service in this process. */
export function storyCases(seed: number): readonly Case[] {
  return SCENARIOS.map((scenario): Case => {
    const check = scenarioCheck(scenario, seed)
    const outside = isToldOutside(scenario)
    return {
      ...check,
      ...(outside
        ? { capabilities: ['attribution'], powers: powersFor(scenario) }
        : { inside: 'the story moves the clock, the line or the store of the service' }),
      run: (environment) => {
        if (environment.inside !== null) return check.run(environment.inside)
        if (!outside) throw new RangeError('this service has no inside')
        return tellOutside(environment, scenario)
      },
    }
  })
}
