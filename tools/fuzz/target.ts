import { untilQuiet } from '../../src/simulation/quiescence.ts'
import type { Material } from './inputs.ts'

/** Describes what inputs are given to, and what must hold for each of them. */
export interface Target extends Material {
  readonly name: string
  /** What the target is, as `--list` says it. */
  readonly about: string
  /**
   * Runs one input.
   *
   * @param text the JSON text of the input.
   * @param base the name of what it was made from.
   * @throws {BrokenPropertyError} what must hold does not. Any other error is one too: nothing may throw what it does not
   *   declare.
   */
  run(text: string, base: string): Promise<void>
  stop?(): Promise<void>
}

/** What must hold of every input does not hold of this one. */
class BrokenPropertyError extends Error {
  override readonly name = 'BrokenPropertyError'
}

/** @throws {BrokenPropertyError} */
export function assert(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new BrokenPropertyError(problem)
}

/** Nobody waits longer: an input that is still being worked on then hangs. */
const TURNS_MAX = 20_000

/**
 * Returns what `work` comes to.
 *
 * @throws {BrokenPropertyError} it hangs: nothing moves any more, and it has not ended.
 */
export async function ending<Result>(work: Promise<Result>): Promise<Result> {
  let ended = false
  const end = () => {
    ended = true
  }
  work.then(end, end)
  let turns = 0
  await untilQuiet(
    () => 0,
    () => {
      turns += 1
      return !ended && turns < TURNS_MAX
    },
  )
  assert(ended, `it hangs: no answer after ${TURNS_MAX} turns of the event loop`)
  return work
}
