/** Any HTTP status, as an answer: `400`. */
export const STATUS = 'status'

/** Describes one situation in which an open point shows. */
export interface Aspect {
  /** The situation, as a noun phrase. */
  readonly situation: string
  /** The answers that a service may give in it; `STATUS`: any HTTP status as well. */
  readonly answers: readonly string[]
}

/** Describes a point that the specification leaves to the service. */
export interface OpenPoint {
  /** The sentence that would settle the point in the specification. */
  readonly settledBy: string
  /** The aspects, by their names; a point with a single one has it under the empty name. */
  readonly aspects: Readonly<Record<string, Aspect>>
}

/** The answers that most requests can get: a price, no price, or a status. */
export const PRICED = ['priced', 'no-route', STATUS] as const
/** Which field of an error's body has its message. */
export const ERROR_BODIES = ['error', 'message', 'problem-details', 'other-fields', 'empty'] as const
