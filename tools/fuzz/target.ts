import type { Material } from './inputs.ts'

/** A program under fuzzing, with the properties that must hold for each input. */
export interface Target extends Material {
  /**
   * Runs one input.
   *
   * @param text the JSON text of the input.
   * @param base the name of the base that it was made from.
   * @throws {BrokenPropertyError} if a property is violated. Any other error is a violation too: code may only throw what it
   *   declares.
   */
  run(text: string, base: string): Promise<void>
  stop?(): Promise<void>
}

/** A property is violated by an input. */
class BrokenPropertyError extends Error {
  override readonly name = 'BrokenPropertyError'
}

/** @throws {BrokenPropertyError} */
export function assert(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new BrokenPropertyError(problem)
}
