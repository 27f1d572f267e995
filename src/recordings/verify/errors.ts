import { PlumblineError } from '../../spec/errors.ts'

/** What one entry of a recording says is contradicted by another, or by itself. */
export class ContradictionError extends PlumblineError {
  override readonly name = 'ContradictionError'
  override readonly kind = 'does-not-conform'
  /** The position of the entry in the file. */
  readonly entry: number
  readonly field: string
  readonly problem: string
  /** @param advice default: not to trust the file. */
  constructor(
    entry: number,
    field: string,
    problem: string,
    advice = 'Do not trust this file. Get the recording again from its source.',
  ) {
    super(`entry ${entry}, ${field}: ${problem}`, advice)
    this.entry = entry
    this.field = field
    this.problem = problem
  }
}

/** The seal of a recording ends in another root than it should. */
export class OtherRootError extends PlumblineError {
  override readonly name = 'OtherRootError'
  override readonly kind = 'does-not-conform'
  readonly root: string
  readonly expected: string
  constructor(root: string, expected: string) {
    super(
      `the root is ${root}, not ${expected}: another recording, or one that was altered and sealed again`,
      'Do not take this file for the one of that root. Get that one from its source.',
    )
    this.root = root
    this.expected = expected
  }
}

/** A recording does not hold the nonce that it must have. */
export class OtherNonceError extends PlumblineError {
  override readonly name = 'OtherNonceError'
  override readonly kind = 'does-not-conform'
  readonly nonce: string | null
  readonly expected: string
  constructor(nonce: string | null, expected: string) {
    super(
      `${nonce === null ? 'it has no nonce' : `its nonce is ${JSON.stringify(nonce)}`}, and ${JSON.stringify(expected)} is demanded: it may have been made before`,
      'Ask for a recording that was made with `plumbline conform --record DIR --nonce TEXT`, and that text.',
    )
    this.nonce = nonce
    this.expected = expected
  }
}

/**
 * Demands that something holds of an entry.
 *
 * @throws {ContradictionError} it does not.
 */
export function check(holds: boolean, entry: number, field: string, problem: string): asserts holds {
  if (!holds) throw new ContradictionError(entry, field, problem)
}
