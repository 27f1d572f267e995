import { conformanceCases } from '../../conformance/index.ts'
import { lifecycleCheck, lifecycleRows } from '../../conformance/lifecycle/rows.ts'
import { type PropertyCaseOptions, propertyCases } from '../../property/cases.ts'
import { REGRESSIONS } from '../../property/index.ts'
import type { Case } from '../runner/case.ts'
import { keptCheck, readKeptFailures } from '../runner/keptFailure.ts'
import { readRegressions } from '../runner/propertyRegressions.ts'
import type { Suite } from '../runner/run.ts'
import { scenarioCases } from '../runner/scenarioCases.ts'
import type { Scenario } from '../runner/scenarioFile.ts'
import { KEPT_FOLDER, namedScenarios } from '../runner/scenarioFolder.ts'
import type { Check } from '../runner/suite.ts'
import type { World } from '../simulation/world.ts'

// The command line imports the suites through this file only.
export { DEFECTS } from '../../conformance/defects/index.ts'
export { conformanceChecks } from '../../conformance/index.ts'
export { SIDES } from '../../conformance/lifecycle/rows.ts'
export { VARIANTS } from '../../conformance/variants/index.ts'
export { provableProperties } from '../../property/proof.ts'
export { conformanceCases, lifecycleRows, propertyCases }

/** The conformance cases: what every target is tested with. */
export const conformanceSuite: Suite = suite('conformance', conformanceCases)

/** The properties, with generated cases. */
export function propertySuite(options: Omit<PropertyCaseOptions, 'only'>): Suite {
  return {
    name: 'properties',
    cases: (ids) => propertyCases(ids === null ? options : { ...options, only: ids }),
  }
}

/** Scenarios: what happens to swaps on the chain. */
export function scenarioSuite(seed: number, scenarios: readonly Scenario[]): Suite {
  return suite('scenarios', () => scenarioCases(seed, scenarios))
}

/** Everything that `plumbline run` runs against the reference, with a brief run of each property. */
export function referenceSuites(seed: number): readonly Suite[] {
  const lifecycle = 'the whole swap is judged with the wallets and clock of its world'
  const kept = 'the failure was found inside the service'
  return [
    suite('lifecycles', () => lifecycleRows().map((row) => insideCase(lifecycleCheck(row), lifecycle))),
    conformanceSuite,
    propertySuite({ seed, budget: 'brief', regressions: readRegressions(REGRESSIONS) }),
    suite('scenarios', () => [
      ...readKeptFailures(KEPT_FOLDER).map((failure) => insideCase(keptCheck(failure), kept)),
      ...scenarioCases(seed, namedScenarios()),
    ]),
  ]
}

function suite(name: string, all: () => readonly Case[]): Suite {
  return { name, cases: (ids) => all().filter(({ id }) => ids?.has(id) ?? true) }
}

function insideCase(check: Check<World>, reason: string): Case<'inside'> {
  return { ...check, uses: ['inside'], reason, run: ({ inside }) => check.run(inside.world) }
}
