/** Areas that a difference can affect, most serious first. */
const CONCERNS = ['money', 'attribution', 'answer', 'chain', 'other'] as const

export type Concern = (typeof CONCERNS)[number]

export interface Difference {
  readonly concern: Concern
  /** Its place: a step, a transaction, an account. */
  readonly where: string
  readonly before: string
  readonly after: string
}

/** The differences between two recordings. */
export interface RecordingChange {
  readonly schema: 'plumbline-recording-change/1'
  readonly before: string
  readonly after: string
  /** The first entry that differs; null: they are identical. */
  readonly first:
    | ({ readonly entry: number; readonly what: string; readonly field: string } & Pick<
        Difference,
        'before' | 'after'
      >)
    | null
  readonly differences: readonly Difference[]
}

/** Returns the differences, those that affect money first. */
export function byConcern(differences: readonly Difference[]): Difference[] {
  return differences.toSorted((one, other) => CONCERNS.indexOf(one.concern) - CONCERNS.indexOf(other.concern))
}
