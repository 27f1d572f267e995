import fc from 'fast-check'
import { type Input, readCorpus, textOf } from './input.ts'
import { inputs } from './inputs.ts'
import type { Target } from './target.ts'

/** Time after which an input counts as hanging. */
const HANGS_MS = 60_000

/** Options of a fuzzing run. Equal options give equal inputs. */
export interface FuzzOptions {
  readonly seed: number
  /** Number of inputs generated, after the unchanged bases and the corpus. */
  readonly runs: number
  /** The path printed by an earlier finding: only its generated values are run. */
  readonly path?: string
}

/** An input that violates a property. */
export interface Finding {
  /** The minimal input that still shows the violation. */
  readonly input: Input
  readonly message: string
  /** The command that runs it again. */
  readonly replay: string
}

/**
 * Runs the corpus of a target and many generated inputs. Returns the first finding, shrunk; null: every property holds.
 *
 * @param name the name of the target.
 */
export async function fuzz(
  name: string,
  target: Target,
  { seed, runs, path }: FuzzOptions,
): Promise<Finding | null> {
  const bases = Object.entries(target.bases).map(([base, value]) => ({ base, text: textOf(value) }))
  // A path counts these examples too.
  const examples = [...bases, ...readCorpus(name, target.bases)]
  const details = await fc.check(
    fc.asyncProperty(inputs(target), ({ base, text }) => target.run(text, base)),
    {
      seed,
      timeout: HANGS_MS,
      numRuns: examples.length + runs,
      examples: examples.map((input) => [input]),
      ...(path === undefined ? {} : { path }),
    },
  )
  if (!details.failed) return null
  const { counterexample, counterexamplePath, errorInstance } = details
  const error = errorInstance as Error | null
  return {
    input: counterexample?.[0] as Input,
    message: error?.stack ?? String(errorInstance),
    replay: `npm run fuzz -- ${name} --seed ${seed} --path ${counterexamplePath}`,
  }
}
