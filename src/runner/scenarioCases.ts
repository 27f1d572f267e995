import type { Run } from '../simulation/runLog.ts'
import type { World } from '../simulation/world.ts'
import { type Environment, type Part, withParts } from '../targets/environment.ts'
import type { Case } from './case.ts'
import { runScenario } from './scenario.ts'
import type { Scenario } from './scenarioFile.ts'
import { namedScenarios } from './scenarioFolder.ts'
import { canRunOverHttp } from './stepsOverHttp.ts'
import type { Check, CheckEvidence } from './suite.ts'

/**
 * Scenarios as cases. Those that need in-process access are skipped for any other target.
 *
 * @param seed decides the identifiers that a service in this process issues.
 */
export function scenarioCases(
  seed: number,
  scenarios: readonly Scenario[] = namedScenarios(),
): readonly Case[] {
  return scenarios.map((scenario): Case => {
    const check = scenarioCheck(scenario, seed)
    return {
      ...check,
      ...partsFor(scenario),
      run: async (environment: Environment) =>
        environment.inside === null
          ? evidenceOf(await runScenario(withParts(environment, ['control']), scenario))
          : check.run(environment.inside.world),
    }
  })
}

/** What a scenario uses of its environment. */
function partsFor({ steps }: Scenario): Pick<Case, 'uses' | 'capabilities' | 'reason'> {
  if (!canRunOverHttp(steps)) {
    const reason = 'the scenario controls the clock, the chain connection or the store of the service'
    return { uses: ['inside'], reason }
  }
  const usesLegacyKey = steps.some((step) => 'key' in step && step.key === 'legacy')
  const uses: readonly Part[] = usesLegacyKey ? ['control', 'legacyKey'] : ['control']
  return { uses, capabilities: ['attribution'] }
}

/** The scenario as a check of a world, which it resets first. */
export function scenarioCheck(scenario: Scenario, seed: number): Check<World> {
  return {
    id: `scenario.${scenario.id}`,
    title: scenario.description,
    requirements: scenario.requirements,
    run: async (world) => {
      await world.reset(seed)
      return evidenceOf(await runScenario(world, scenario))
    },
  }
}

function evidenceOf(run: Run | null): CheckEvidence {
  if (run === null) {
    return { exercised: 1, notes: ['the build has a fee transfer and no attribution: nothing to report'] }
  }
  const answers = run.log.flatMap((step) => step.answers)
  return {
    exercised: answers.length,
    notes: [`responses: ${answers.map(({ status }) => status).join(', ')}`],
  }
}

/** Every scenario as a check of a world, which it resets first. `seed` decides the identifiers that the service issues. */
export function scenarioChecks(seed = 1): readonly Check<World>[] {
  return namedScenarios().map((scenario) => scenarioCheck(scenario, seed))
}
