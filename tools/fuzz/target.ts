import type { Material } from './inputs.ts'

/** Describes what inputs are given to, and what must hold for each of them. */
export interface Target extends Material {
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

/** A property of every input does not hold of this one. */
class BrokenPropertyError extends Error {
  override readonly name = 'BrokenPropertyError'
}

/** @throws {BrokenPropertyError} */
export function assert(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new BrokenPropertyError(problem)
}
