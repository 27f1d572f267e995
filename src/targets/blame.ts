import { PlumblineError } from '../spec/errors.ts'
import type { Exchange } from '../spec/exchange.ts'
import type { RequirementId } from '../spec/requirements/index.ts'

/** The party that is at fault for an end other than a pass. */
export type Blame = 'target' | 'harness' | 'chain'

/** A requirement, with the expected and the actual behaviour. */
export interface BrokenPromise {
  readonly requirement: RequirementId
  readonly expected: string
  readonly actual: string
}

/** Optional details of a broken promise. */
interface BrokenPromiseDetails {
  /** Further facts for the reader. */
  readonly notes?: readonly string[]
  /** The smallest generated case that breaks the promise, as JSON. Default: no case was generated. */
  readonly counterexample?: unknown
  /** Other promises that the same exchange breaks independently. */
  readonly others?: readonly BrokenPromise[]
  /** Exchange that breaks the promise. Default: unknown. */
  readonly exchange?: Exchange | null
}

/** The target breaks a promise of the specification, named by its requirement. */
export class PromiseBrokenError extends PlumblineError {
  override readonly name = 'PromiseBrokenError'
  readonly requirement: RequirementId
  readonly expected: string
  readonly actual: string
  readonly notes: readonly string[]
  /** Null: no case was generated. */
  readonly counterexample: unknown
  readonly others: readonly BrokenPromise[]
  /** Null: the exchange that breaks the promise is not known. */
  readonly exchange: Exchange | null
  constructor(
    requirement: RequirementId,
    expected: string,
    actual: string,
    { notes = [], counterexample = null, others = [], exchange = null }: BrokenPromiseDetails = {},
  ) {
    super(
      `${requirement}: expected ${expected}, actual ${actual}`,
      `Read \`plumbline explain ${requirement}\` for the clause and what breaks it.`,
    )
    this.requirement = requirement
    this.expected = expected
    this.actual = actual
    this.notes = notes
    this.counterexample = counterexample
    this.others = others
    this.exchange = exchange
  }
}

/**
 * An error that knows who is at fault, and what was expected in place of its message. Any other error, except for a broken
 * promise, is the harness's own fault.
 */
export class BlamedError extends PlumblineError {
  override readonly name: string = 'BlamedError'
  readonly blame: Blame
  readonly expected: string
  constructor(
    blame: Blame,
    expected: string,
    actual: string,
    advice: string,
    options?: { readonly cause?: unknown },
  ) {
    super(actual, advice, options)
    this.blame = blame
    this.expected = expected
  }
}
