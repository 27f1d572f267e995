import { conformanceChecks } from '../../conformance/index.ts'
import { lifecycleCheck, lifecycleRows } from '../../conformance/lifecycle/rows.ts'
import { REGRESSIONS } from '../../property/index.ts'
import { Lab } from '../../property/lab.ts'
import { FAMILIES } from '../../property/suite.ts'
import { scenarioChecks } from '../../scenarios/index.ts'
import type { AnyFamily } from '../../src/runner/propertyFamily.ts'
import { readRegressions } from '../../src/runner/propertyRegressions.ts'
import { runFamily } from '../../src/runner/propertyRun.ts'
import type { Check } from '../../src/runner/suite.ts'
import type { World } from '../../src/simulation/world.ts'

/** Everything runs under one seed: what is measured is the suite, not its luck. */
export const MUTATION_SEED = 1

/**
 * What is put to a mutant: all that `plumbline run --seed 1` puts to the reference. The properties of a family judge
 * the same cases, so that a family is one check.
 */
export function mutationChecks(): readonly Check<World>[] {
  return [
    ...conformanceChecks(),
    ...lifecycleRows().map(lifecycleCheck),
    ...scenarioChecks(MUTATION_SEED),
    ...FAMILIES.map(familyCheck),
  ]
}

function familyCheck(family: AnyFamily<Lab>): Check<World> {
  return {
    id: `property.${family.id}`,
    title: `the properties of the family ${family.id}`,
    requirements: [],
    run: async (world) => {
      const lab = Lab.on(world, MUTATION_SEED)
      const { cases, properties } = await runFamily(family, lab, {
        seed: MUTATION_SEED,
        budget: 'brief',
        regressions: readRegressions(REGRESSIONS),
        shrink: false,
      }).finally(() => world.reset(MUTATION_SEED, {}))
      const found = properties.find(({ counterexample }) => counterexample !== null)?.counterexample
      if (found) throw found.broken
      return { exercised: cases }
    },
  }
}
