import fc from 'fast-check'
import { type Input, readCorpus, textOf } from './input.ts'
import { inputs } from './inputs.ts'
import type { Target } from './target.ts'

/** An input that is still being worked on then hangs. */
const HANGS_MS = 60_000

/** Describes how a target is fuzzed. Equal options give equal inputs. */
export interface FuzzOptions {
  readonly seed: number
  /** So many inputs are generated, after the bases as they are and the corpus. */
  readonly runs: number
  /** Of an earlier finding, as it printed it: only its generated values are run. */
  readonly path?: string
}

/** An input for which something that must hold does not. */
export interface Finding {
  /** The minimal input that still shows it. */
  readonly input: Input
  readonly message: string
  /** The command that runs it again. */
  readonly replay: string
}

/**
 * Runs the corpus of a target and many generated inputs on it. Returns the first finding, shrunk; null: everything holds.
 *
 * @param name the target's.
 */
export async function fuzz(
  name: string,
  target: Target,
  { seed, runs, path }: FuzzOptions,
): Promise<Finding | null> {
  const bases = Object.entries(target.bases).map(([base, value]) => ({ base, text: textOf(value) }))
  // A path counts them too.
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
