import type { Counterexample } from './propertyRun.ts'

/** What a run was given, as far as it must be given again. */
export interface ReplayOptions {
  readonly seed: number
  readonly budget?: 'quick' | 'full'
  /** The id of a planted defect. */
  readonly defect?: string
  readonly regressions?: string
}

/** The command line that finds a counterexample of this property again. */
function replayLine(property: string, { seed, budget, defect, regressions }: ReplayOptions): string {
  return [
    `npm run property -- --seed ${seed} --only ${property}`,
    ...(budget === 'full' ? ['--budget full'] : []),
    ...(defect === undefined ? [] : [`--defect ${defect}`]),
    ...(regressions === undefined ? [] : [`--regressions ${regressions}`]),
  ].join(' ')
}

/** A counterexample as a person reads it: seed and replay first, then what is wrong, then the smallest case. */
export function describeCounterexample(found: Counterexample, options: ReplayOptions): readonly string[] {
  const { property, broken, input, drawn, file, tries, exhausted, irrelevant } = found
  return [
    `seed ${options.seed}`,
    replayLine(property, options),
    `${property}: ${broken.requirement} expected ${broken.expected}, actual ${broken.seen}`,
    drawn === null
      ? `a kept regression: ${file}`
      : `minimal counterexample (generated as case ${drawn + 1}; ${tries} smaller cases tried${exhausted ? ', until the shrink budget ran out' : ''}):`,
    ...JSON.stringify(input, null, 2).split('\n'),
    ...(irrelevant.length === 0 ? [] : [`does not matter: ${irrelevant.join(', ')}`]),
  ]
}
