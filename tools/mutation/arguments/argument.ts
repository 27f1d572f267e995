/**
 * Why mutants that no check killed are alive. `same`: nothing that the specification speaks of is different, so that no
 * check could kill them without demanding what nobody promised. `missed`: a promise may be broken, and the suites do not
 * see it.
 */
export interface Argument {
  readonly kind: 'same' | 'missed'
  readonly why: string
  readonly mutants: readonly Selector[]
}

export interface Selector {
  /** Below src/service. */
  readonly file: string
  /** What stands in the line in which the mutated text begins. */
  readonly line: string
  /** The mutated text, where not all mutants of the line are meant. */
  readonly original?: string
  readonly replacement?: string
}
