import { FOUND_FOLDER, failureName, readFailures } from '../../runner/failures.ts'
import { isScenarioPath, namedScenarios, readScenarios } from '../../runner/scenarioFolder.ts'
import { didYouMean } from '../../runner/suggest.ts'
import { generateScript, type ScriptOptions } from '../../simulation/randomScript.ts'
import type { StepInput } from '../../simulation/steps.ts'
import { UsageError } from '../../spec/errors.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { caseSchema, FAILURES, historyFamily } from '../suites.ts'

/** One run of the plan: a script with its seed, and where both come from. */
export interface PlannedRun {
  /** `random`, or the name of the scenario or kept failure. */
  readonly name: string
  readonly seed: number
  /** What the seed decided; null for a script that somebody wrote or kept. */
  readonly options: ScriptOptions | null
  readonly steps: readonly StepInput[]
  /** The first requirement of a named scenario; null for any other script. */
  readonly requirement: RequirementId | null
}

/**
 * The kept failures that are scripts: those that are committed, then those that were found here.
 *
 * @throws {FailureFileError}
 */
export function keptScripts(): readonly PlannedRun[] {
  const ids = new Set(historyFamily.properties.map(({ id }) => id))
  return readFailures(FAILURES, FOUND_FOLDER)
    .filter(({ property }) => ids.has(property))
    .map((failure) => ({
      name: failureName(failure),
      seed: failure.seed,
      options: null,
      steps: caseSchema.parse(failure.case).steps,
      requirement: null,
    }))
}

/** How many random runs there are, and how many seeds of a named scenario, by default. */
const RUNS = { random: 20, named: 1 } as const

/**
 * The runs in their order: kept failures first. Without names, every kept failure and then random scripts; with names or
 * patterns with `*`, just those scenarios and kept failures, and with paths the scenarios of those files; each scenario
 * under as many seeds.
 *
 * @throws {UsageError} a name or pattern fits nothing.
 * @throws {FailureFileError}
 * @throws {ScenarioFileError}
 */
export function planRuns(
  patterns: readonly string[],
  { seed, runs }: { readonly seed: number; readonly runs?: number | undefined },
): readonly PlannedRun[] {
  const kept = keptScripts()
  if (patterns.length === 0) {
    return [...kept, ...seedsFrom(seed, runs ?? RUNS.random).map(randomRun)]
  }
  const ours = namedScenarios()
  const names = [...kept.map(({ name }) => name), ...ours.map(({ id }) => id)]
  const chosen = new Set(
    patterns.filter((each) => !isScenarioPath(each)).flatMap((pattern) => namesLike(pattern, names)),
  )
  const scenarios = [
    ...ours.filter(({ id }) => chosen.has(id)),
    ...readScenarios(patterns.filter(isScenarioPath)),
  ]
  const named = scenarios.flatMap(({ id, requirements, steps }) =>
    seedsFrom(seed, runs ?? RUNS.named).map((each) => ({
      name: id,
      seed: each,
      options: null,
      steps,
      requirement: requirements[0],
    })),
  )
  return [...kept.filter(({ name }) => chosen.has(name)), ...named]
}

function randomRun(seed: number): PlannedRun {
  return { name: 'random', seed, ...generateScript(seed), requirement: null }
}

function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

/** @throws {UsageError} */
function namesLike(pattern: string, names: readonly string[]): readonly string[] {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('.*')}$`)
  const found = names.filter((name) => expression.test(name))
  if (found.length > 0) return found
  throw new UsageError(
    `no scenario is called ${pattern}`,
    `${didYouMean(pattern, names)}\`plumbline simulate --list\` shows the names; \`*\` matches any characters.`,
  )
}
