import { PlumblineError } from '../spec/errors.ts'
import type { RequirementId } from '../spec/requirements/index.ts'

/** Whose fault an end other than a pass is. */
export type Blame = 'target' | 'harness' | 'chain'

/** A promise of the specification is broken: the target's fault, with the requirement that it breaks. */
export class PromiseBrokenError extends PlumblineError {
  override readonly name = 'PromiseBrokenError'
  readonly requirement: RequirementId
  readonly expected: string
  readonly seen: string
  /** What else a person should know of it. */
  readonly notes: readonly string[]
  /** The smallest generated case that breaks the promise, as JSON; null: no case was generated. */
  readonly counterexample: unknown
  constructor(
    requirement: RequirementId,
    expected: string,
    seen: string,
    notes: readonly string[] = [],
    counterexample: unknown = null,
  ) {
    super(
      `${requirement}: expected ${expected}, actual ${seen}`,
      `Read \`plumbline explain ${requirement}\` for the clause and what breaks it.`,
    )
    this.requirement = requirement
    this.expected = expected
    this.seen = seen
    this.notes = notes
    this.counterexample = counterexample
  }
}

/** An error that knows whose fault it is. Every other error that is no broken promise is the harness's own. */
export abstract class BlamedError extends PlumblineError {
  abstract readonly blame: Blame
}
