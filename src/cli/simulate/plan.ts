import { type KeptFailure, readKeptFailures } from '../../runner/keptFailure.ts'
import { isScenarioPath, KEPT_FOLDER, namedScenarios, readScenarios } from '../../runner/scenarioFolder.ts'
import { didYouMean } from '../../runner/suggest.ts'
import { drawScript, type ScriptOptions } from '../../simulation/randomScript.ts'
import type { StepInput } from '../../simulation/steps.ts'
import { UsageError } from '../../spec/errors.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'

/** One run to be made: a script with its seed, and where both come from. */
export interface PlannedRun {
  /** `random`, or the name of the story or kept failure. */
  readonly name: string
  readonly seed: number
  /** What the seed drew; null for a script that somebody wrote. */
  readonly options: ScriptOptions | null
  readonly steps: readonly StepInput[]
  /** The promise that the script is told for; null for a random one. */
  readonly requirement: RequirementId | null
}

/** Where failures go that nobody has committed yet. */
export const FOUND_FOLDER = 'reports/kept'

/** Every kept failure: those that are committed, then those that were found here. */
export function keptFailures(): readonly KeptFailure[] {
  return [KEPT_FOLDER, FOUND_FOLDER].flatMap(readKeptFailures)
}

/** How many random runs there are, and under how many seeds a named story is told, unless somebody says. */
const RUNS = { random: 20, named: 1 } as const

/**
 * The runs in their order: kept failures first. Without names, every kept failure and then random scripts; with names or
 * patterns with `*`, just those scenarios and kept failures, and with paths the scenarios of those files; each scenario
 * under as many seeds.
 *
 * @throws {UsageError} a name or pattern fits nothing.
 * @throws {KeptFailureError}
 * @throws {ScenarioFileError}
 */
export function planRuns(
  patterns: readonly string[],
  { seed, runs }: { readonly seed: number; readonly runs?: number | undefined },
): readonly PlannedRun[] {
  const kept = keptFailures().map(
    ({ id, requirement, seed: ownSeed, steps }): PlannedRun => ({
      name: id,
      seed: ownSeed,
      options: null,
      steps,
      requirement,
    }),
  )
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
  return { name: 'random', seed, ...drawScript(seed), requirement: null }
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
