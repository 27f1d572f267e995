import { PlumblineError } from '../spec/errors.ts'
import type { Exchange } from '../spec/exchange.ts'
import type { RequirementId } from '../spec/requirements/index.ts'

/** Whose fault an end other than a pass is. */
export type Blame = 'target' | 'harness' | 'chain'

/** A requirement with what it asks for and what there was instead. */
export interface BrokenPromise {
  readonly requirement: RequirementId
  readonly expected: string
  readonly actual: string
}

/** Describes what a broken promise may come with. */
interface BrokenPromiseDetails {
  /** What else a person should know of it. */
  readonly notes?: readonly string[]
  /** The smallest generated case that breaks the promise, as JSON. Default: no case was generated. */
  readonly counterexample?: unknown
  /** The other promises that the same exchange breaks, each by itself. */
  readonly others?: readonly BrokenPromise[]
  /** The exchange that breaks the promise. Default: which one does is not known. */
  readonly exchange?: Exchange | null
}

/** A promise of the specification is broken: the target's fault, with the requirement that it breaks. */
export class PromiseBrokenError extends PlumblineError {
  override readonly name = 'PromiseBrokenError'
  readonly requirement: RequirementId
  readonly expected: string
  readonly actual: string
  readonly notes: readonly string[]
  /** Null: no case was generated. */
  readonly counterexample: unknown
  readonly others: readonly BrokenPromise[]
  /** Null: which exchange breaks the promise is not known. */
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
 * An error that knows whose fault it is, and what was expected instead of what its message says. Every other error that is
 * no broken promise is the harness's own.
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
