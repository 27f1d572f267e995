import { readFailures } from '../../runner/families/failures.ts'
import type { Budget } from '../../runner/families/family.ts'
import { type Suite, suiteOf } from '../../runner/plan/plan.ts'
import type { Further } from '../../runner/proof/suite.ts'
import type { Simulation } from '../../runner/simulate/simulations.ts'
import { floorsOf } from '../../runner/verdict/floors.ts'
import type { ProveOptions } from '../proof/proofRequest.ts'

// The command line imports suites only through this file, each when it is run; defects and variants through `brokenServices.ts`.
export { FAILURES } from '../../../property/index.ts'

/** A suite of a run, as plain data. */
export type SuiteChoice =
  | { readonly name: 'lifecycles' | 'conformance' | 'client' }
  | PropertyChoice
  /** The scenarios of this project if `named`, and those of files and folders. */
  | { readonly name: 'scenarios'; readonly named: boolean; readonly paths: readonly string[] }
  | { readonly name: 'simulations'; readonly simulations: readonly Simulation[] }
  /** The cases of a proof: see `proofSuite`. */
  | { readonly name: 'proof'; readonly options: ProveOptions; readonly further: Further | null }

interface PropertyChoice {
  readonly name: 'properties'
  readonly budget: Budget
  /** Folders of saved failures, which run first. Default: none. */
  readonly failures?: readonly string[]
  /**
   * True if the run tests only the properties, against the reference. Then only in-process families are run, because histories from
   * outside would repeat theirs, and classes of cases must be met. Default: false.
   */
  readonly isWhole?: boolean
  /** True if only some properties were chosen: then no class is demanded. */
  readonly isChosen?: boolean
}

/**
 * Returns the suites of a run, and loads only these.
 *
 * @throws {ScenarioFileError}
 */
export function loadSuites(choices: readonly SuiteChoice[], seed: number): Promise<readonly Suite[]> {
  return Promise.all(choices.map((choice) => loadSuite(choice, seed)))
}

async function loadSuite(choice: SuiteChoice, seed: number): Promise<Suite> {
  switch (choice.name) {
    case 'lifecycles':
      return suiteOf(choice.name, (await loadLifecycles()).lifecycleCases)
    case 'conformance':
      return (await import('./conformanceSuite.ts')).conformanceSuite
    case 'client':
      return (await import('./clientSuite.ts')).clientSuite
    case 'properties':
      return propertySuite(choice, seed)
    case 'scenarios': {
      const { scenarioCases } = await import('../../runner/scenarios/scenarioCases.ts')
      const { namedScenarios, readScenarios } = await import('../../runner/scenarios/scenarioFolder.ts')
      const scenarios = [...(choice.named ? namedScenarios() : []), ...readScenarios(choice.paths)]
      return suiteOf(choice.name, () => scenarioCases(scenarios))
    }
    case 'simulations': {
      const { floorsForRuns, historyFamily } = await import('./historySuite.ts')
      const { simulationSuite } = await import('../../runner/simulate/simulations.ts')
      return simulationSuite(historyFamily, choice.simulations, floorsForRuns)
    }
    case 'proof': {
      const { proofRequest } = await import('../proof/proofRequest.ts')
      const { proofSuite } = await import('../../runner/proof/suite.ts')
      return proofSuite(proofRequest(choice.options), choice.further)
    }
  }
}

/** Loads the life cycles, as cases and as table rows. */
export function loadLifecycles() {
  return import('../../../conformance/lifecycle/rows.ts')
}

export type Lifecycles = Awaited<ReturnType<typeof loadLifecycles>>

async function propertySuite(choice: PropertyChoice, seed: number): Promise<Suite> {
  const { budget, failures: folders = [], isWhole = false, isChosen = false } = choice
  const { propertyCases } = await import('../../../property/cases.ts')
  const failures = folders.length === 0 ? {} : { failures: readFailures(...folders) }
  const options = { seed, budget, ...failures, ...(isWhole ? { countsRequests: true } : {}) }
  const cases: Suite['cases'] = (ids) => propertyCases(ids === null ? options : { ...options, only: ids })
  if (!isWhole) return { name: choice.name, cases }
  const { FAMILIES } = await import('../../../property/suite.ts')
  const { floorsFor } = await import('../../../property/floors.ts')
  const { classesOf, propertyFamilies } = await import('../../reporting/report/propertyFamilies.ts')
  const demanded = floorsFor(budget, isChosen ? new Set() : null)
  const inside = new Set(FAMILIES.flatMap(({ properties }) => properties.map(({ id }) => id)))
  return {
    name: choice.name,
    cases: (ids) => cases(ids).filter(({ id }) => inside.has(id)),
    floorsOf: (results) => {
      // A run with a failure need not meet the classes: its cases end early.
      if (results.some(({ status }) => status === 'fail')) return []
      const suites = [{ name: choice.name, cases: results }]
      const classes = classesOf(propertyFamilies({ suites, floors: [] }))
      return floorsOf(demanded, new Map(classes.map(({ name, count }) => [name, count])))
    },
  }
}
