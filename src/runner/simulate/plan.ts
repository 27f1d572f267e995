import { generateScript, type ScriptOptions } from '../../simulation/script/randomScript.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { failureName, type KeptFailure } from '../families/failures.ts'
import type { ObservedScript, ScriptFamily } from '../families/runScript.ts'
import { select } from '../plan/plan.ts'
import { isScenarioPath, namedScenarios, readScenarios } from '../scenarios/scenarioFolder.ts'

/** Selects the scripts to run. */
export interface Plan {
  /** Names of scenarios and kept failures, patterns of them, and paths of scenario files and folders. */
  readonly patterns: readonly string[]
  /** Seed of the first run; each further run has the next one. */
  readonly seed: number
  /** Number of random scripts, or of seeds for each scenario. Default: 20, or 1. */
  readonly runs?: number | undefined
  readonly family: Pick<ScriptFamily<ObservedScript>, 'properties' | 'schema'>
  readonly failures: readonly KeptFailure[]
}

/** One run of the plan: a script with its seed, and their origin. */
export interface PlannedRun {
  /** `random`, or the name of the scenario or kept failure. */
  readonly name: string
  readonly seed: number
  /** File of the scenario, if it was selected by path. */
  readonly file?: string
  /** Options that the seed decided; null for a script that was written or kept. */
  readonly options: ScriptOptions | null
  readonly steps: readonly StepInput[]
  /** First requirement of a named scenario; null for any other script. */
  readonly requirement: RequirementId | null
}

/** Default number of random scripts, and of seeds for a named scenario. */
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
 * Returns the runs in order, kept failures first. Without patterns: every kept failure, then random scripts. With patterns: the
 * scenarios and kept failures that they select, and the scenarios of the files that they name. Each scenario runs under `runs`
 * seeds.
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
