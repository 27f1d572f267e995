import { conformanceCases } from '../../conformance/index.ts'
import { lifecycleCases, lifecycleRows } from '../../conformance/lifecycle/rows.ts'
import { type PropertyCaseOptions, propertyCases } from '../../property/cases.ts'
import { FAILURES } from '../../property/index.ts'
import { FAMILIES } from '../../property/suite.ts'
import type { Case } from '../runner/case.ts'
import { readFailures } from '../runner/failures.ts'
import type { Suite } from '../runner/plan.ts'
import { scenarioCases } from '../runner/scenarioCases.ts'
import type { Scenario } from '../runner/scenarioFile.ts'
import { namedScenarios, readScenarios } from '../runner/scenarioFolder.ts'

// The command line imports what tests a target through this file and `historySuite.ts`; what breaks the reference, through `brokenServices.ts`.
export { SIDES } from '../../conformance/lifecycle/rows.ts'
export { floorsFor } from '../../property/floors.ts'
export { floorsForRuns } from '../../property/history/states.ts'
export { conformanceCases, FAILURES, lifecycleRows, propertyCases }

/** The conformance cases: what every target is tested with. */
export const conformanceSuite: Suite = suite('conformance', conformanceCases)

/** Returns the properties, with generated cases. */
export function propertySuite(options: Omit<PropertyCaseOptions, 'only'>): Suite {
  return {
    name: 'properties',
    cases: (ids) => propertyCases(ids === null ? options : { ...options, only: ids }),
  }
}

/** Returns the properties of the families that run in this process: histories on a chain alone repeat those inside. */
export function referenceProperties(options: Omit<PropertyCaseOptions, 'only'>): Suite {
  const all = propertySuite(options)
  const ids = new Set(FAMILIES.flatMap(({ properties }) => properties.map(({ id }) => id)))
  return { ...all, cases: (chosen) => all.cases(chosen).filter(({ id }) => ids.has(id)) }
}

/** Scenarios: what happens to swaps on the chain. */
export function scenarioSuite(scenarios: readonly Scenario[]): Suite {
  return suite('scenarios', () => scenarioCases(scenarios))
}

/** Everything that `plumbline run` runs against the reference, with a brief run of each property. */
export function referenceSuites(seed: number): readonly Suite[] {
  return [
    suite('lifecycles', lifecycleCases),
    conformanceSuite,
    propertySuite({ seed, budget: 'brief', failures: readFailures(FAILURES) }),
    scenarioSuite(namedScenarios()),
  ]
}

/** Describes which suites `plumbline conform` runs, as plain data. */
export interface ConformSuites {
  readonly seed: number
  readonly budget: 'quick' | 'full'
  readonly withProperties: boolean
  readonly withScenarios: boolean
  /** Files and folders of scenarios. */
  readonly scenarios: readonly string[]
}

/**
 * Returns the suites of `plumbline conform`.
 *
 * @throws {ScenarioFileError}
 */
export function conformSuites(chosen: ConformSuites): readonly Suite[] {
  const { seed, budget, withProperties, withScenarios } = chosen
  const scenarios = [...(withScenarios ? namedScenarios() : []), ...readScenarios(chosen.scenarios)]
  return [
    conformanceSuite,
    ...(withProperties ? [propertySuite({ seed, budget })] : []),
    ...(scenarios.length === 0 ? [] : [scenarioSuite(scenarios)]),
  ]
}

function suite(name: string, all: () => readonly Case[]): Suite {
  return { name, cases: (ids) => all().filter(({ id }) => ids?.has(id) ?? true) }
}
