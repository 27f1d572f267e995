/** Placeholder for any HTTP status as an answer, such as `400`. */
export const STATUS = 'status'

/** One situation in which an open point shows. */
export interface Aspect {
  /** The situation, as a noun phrase. */
  readonly situation: string
  /** The possible answers of a service; `STATUS`: any HTTP status as well. */
  readonly answers: readonly string[]
}

/** A point that the specification leaves to the service. */
export interface OpenPoint {
  /** The sentence that would settle the point in the specification. */
  readonly settledBy: string
  /** The aspects by name; a single one has the empty name. */
  readonly aspects: Readonly<Record<string, Aspect>>
}

/** The answers that most requests can get: a price, no price, or a status. */
export const PRICED = ['priced', 'no-route', STATUS] as const
/** The field of an error's body that holds its message. */
export const ERROR_BODIES = ['error', 'message', 'problem-details', 'other-fields', 'empty'] as const
