import fc from 'fast-check'
import { readCorpus } from './corpus.ts'
import { type Input, textOf } from './input.ts'
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
  const bases = Object.keys(target.bases).map((base): Input => ({ base, edits: [] }))
  // A path counts them too.
  const examples = [...bases, ...readCorpus(name)]
  const details = await fc.check(
    fc.asyncProperty(inputs(target), (input) => runInput(target, input)),
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

/**
 * Runs one input.
 *
 * @throws whatever the target throws: something that must hold does not.
 */
async function runInput(target: Target, input: Input): Promise<void> {
  let text: string
  try {
    text = textOf(target.bases, input)
  } catch (error) {
    // Edits that multiply one another make a longer text than there can be.
    if (error instanceof RangeError) return
    throw error
  }
  await target.run(text, input.base)
}
