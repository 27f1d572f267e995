import type { BrokenProperty } from './runFamilyCase.ts'
import type { Json } from './shrinkJson.ts'

/** A case that a property is false for. Plain data. */
export interface Counterexample extends BrokenProperty {
  /** As small as the budget allowed. */
  readonly input: Json
  /** How many cases were generated before it; null: it is a kept failure. */
  readonly generated: number | null
  /** The file of the kept failure. */
  readonly file: string | null
  readonly tries: number
  readonly exhausted: boolean
  /** Paths of inputs that were exchanged for others without effect. */
  readonly irrelevant: readonly string[]
}

/** What a run was given, as far as it must be given again. */
export interface ReplayOptions {
  readonly seed: number
  readonly budget?: 'quick' | 'full'
  /** The id of a planted defect. */
  readonly defect?: string
  /** The folder of the failures that were found here. */
  readonly failures?: string
}

/** The command line that finds a counterexample of this property again. */
function replayLine(property: string, { seed, budget, defect, failures }: ReplayOptions): string {
  return [
    `npx plumbline property --seed ${seed} --only ${property}`,
    ...(budget === 'full' ? ['--budget full'] : []),
    ...(defect === undefined ? [] : [`--defect ${defect}`]),
    ...(failures === undefined ? [] : [`--failures ${failures}`]),
  ].join(' ')
}

/** A counterexample for a person to read: seed and replay first, then what is wrong, then the smallest case. */
export function describeCounterexample(found: Counterexample, options: ReplayOptions): readonly string[] {
  const { property, requirement, expected, actual, input, generated, file, tries, exhausted, irrelevant } =
    found
  return [
    `seed ${options.seed}`,
    replayLine(property, options),
    `${property}: ${requirement} expected ${expected}, actual ${actual}`,
    generated === null
      ? `a kept failure: ${file}`
      : `minimal counterexample (generated as case ${generated + 1}; ${tries} smaller cases tried${exhausted ? ', until the shrink budget ran out' : ''}):`,
    ...JSON.stringify(input, null, 2).split('\n'),
    ...(irrelevant.length === 0 ? [] : [`irrelevant: ${irrelevant.join(', ')}`]),
  ]
}
