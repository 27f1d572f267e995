import { PlumblineError } from '../../spec/errors.ts'
import { cut } from '../../spec/issue.ts'

/** A contradictory value may be as long as the file. */
const SHOWN_CHARACTERS = 2_000

/** An entry of a recording contradicts another, or itself. */
export class ContradictionError extends PlumblineError {
  override readonly name = 'ContradictionError'
  override readonly kind = 'does-not-conform'
  /** The position of the entry in the file. */
  readonly entry: number
  readonly field: string
  readonly problem: string
  /** @param advice default: do not trust the file. */
  constructor(
    entry: number,
    field: string,
    problem: string,
    advice = 'Do not trust this file. Get the recording again from its source.',
  ) {
    const shown = cut(problem, SHOWN_CHARACTERS)
    super(`entry ${entry}, ${field}: ${shown}`, advice)
    this.entry = entry
    this.field = field
    this.problem = shown
  }
}

/** A recording is genuine, but not the demanded one. */
export class NotDemandedError extends PlumblineError {
  override readonly name = 'NotDemandedError'
  override readonly kind = 'does-not-conform'
  readonly what: 'root' | 'nonce'
  constructor(what: 'root' | 'nonce', problem: string, advice: string) {
    super(problem, advice)
    this.what = what
  }
}

/**
 * Asserts a fact about an entry.
 *
 * @throws {ContradictionError} it does not hold.
 */
export function check(holds: boolean, entry: number, field: string, problem: string): asserts holds {
  if (!holds) throw new ContradictionError(entry, field, problem)
}
