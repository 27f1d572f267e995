import { generateScript, type ScriptOptions } from '../../simulation/script/randomScript.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { failureName, type KeptFailure } from '../families/failures.ts'
import type { ObservedScript, ScriptFamily } from '../families/runScript.ts'
import { select } from '../plan/plan.ts'
import { isScenarioPath, namedScenarios, readScenarios } from '../scenarios/scenarioFolder.ts'

/** Describes what decides which scripts run. */
export interface Plan {
  /** Names of scenarios and kept failures, patterns of them, and paths of scenario files and folders. */
  readonly patterns: readonly string[]
  /** The seed of the first run; each further run has the next. */
  readonly seed: number
  /** How many random scripts, or seeds of each scenario. Default: 20, or one. */
  readonly runs?: number | undefined
  readonly family: Pick<ScriptFamily<ObservedScript>, 'properties' | 'schema'>
  readonly failures: readonly KeptFailure[]
}

/** One run of the plan: a script with its seed, and where both come from. */
export interface PlannedRun {
  /** `random`, or the name of the scenario or kept failure. */
  readonly name: string
  readonly seed: number
  /** The file that the scenario is in, where it was named by that. */
  readonly file?: string
  /** What the seed decided; null for a script that somebody wrote or kept. */
  readonly options: ScriptOptions | null
  readonly steps: readonly StepInput[]
  /** The first requirement of a named scenario; null for any other script. */
  readonly requirement: RequirementId | null
}

/** How many random scripts there are, and how many seeds of a named scenario, by default. */
const RUNS = { random: 20, named: 1 } as const

/** Returns the kept failures that are scripts. */
export function keptScripts({ family, failures }: Pick<Plan, 'family' | 'failures'>): readonly PlannedRun[] {
  const ids = new Set(family.properties.map(({ id }) => id))
  return failures
    .filter(({ property }) => ids.has(property))
    .map((failure) => ({
      name: failureName(failure),
      seed: failure.seed,
      options: null,
      steps: family.schema.parse(failure.case).steps,
      requirement: null,
    }))
}

/**
 * Returns the runs in their order: kept failures first. Without patterns, every kept failure and then random scripts; with
 * patterns, just those scenarios and kept failures, and with paths the scenarios of those files; each scenario under as
 * many seeds.
 *
 * @throws {UsageError} a pattern selects nothing.
 * @throws {ScenarioFileError}
 */
export function planRuns(plan: Plan): readonly PlannedRun[] {
  const { patterns, seed, runs } = plan
  const kept = keptScripts(plan)
  if (patterns.length === 0) return [...kept, ...seedsFrom(seed, runs ?? RUNS.random).map(randomRun)]
  const named = namedScenarios()
  const names = patterns.filter((each) => !isScenarioPath(each))
  const advice = () => '`plumbline simulate --list` shows the names; `*` matches any characters.'
  const selectable = [...kept.map(({ name }) => ({ id: name })), ...named]
  const chosen = new Set(
    names.length === 0 ? [] : select(selectable, names, { kind: 'scenario', advice }).map(({ id }) => id),
  )
  const scenarios = [
    ...named.filter(({ id }) => chosen.has(id)),
    ...readScenarios(patterns.filter(isScenarioPath)),
  ]
  return [
    ...kept.filter(({ name }) => chosen.has(name)),
    ...scenarios.flatMap(({ id: name, requirements: [requirement], steps, file }) =>
      seedsFrom(seed, runs ?? RUNS.named).map((each) => ({
        ...{ name, seed: each, options: null, steps, requirement },
        ...(chosen.has(name) ? {} : { file }),
      })),
    ),
  ]
}

/** Returns the random script of a seed. */
export function randomRun(seed: number): PlannedRun {
  return { name: 'random', seed, ...generateScript(seed), requirement: null }
}

function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}
