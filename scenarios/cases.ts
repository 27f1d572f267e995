import type { Case } from '../src/harness/arena.ts'
import { scenarioCheck } from '../src/harness/scenario.ts'
import { SCENARIOS } from './index.ts'

/** Every story as a case of a target: it is told with the ports and the clock of the service in hand. */
export function storyCases(seed: number): readonly Case[] {
  return SCENARIOS.map((scenario) => {
    const check = scenarioCheck(scenario, seed)
    return {
      ...check,
      inside: 'a story moves the clock, the line and the store of the service',
      run: ({ inside }) => {
        if (inside === null) throw new RangeError('this service has no inside')
        return check.run(inside)
      },
    }
  })
}
