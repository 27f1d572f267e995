/** The options of `plumbline prove`. Plain data, so that a worker can be sent them. */
export interface ProveOptions {
  readonly only?: string[]
  readonly without?: string[]
  readonly cases?: boolean
  readonly scenarios?: boolean
  readonly properties?: boolean
  readonly variants?: boolean
  readonly defects?: boolean
  readonly all?: boolean
  readonly full?: boolean
  readonly shuffle?: readonly number[]
  readonly drawn?: number
  readonly seed: number
  readonly json?: boolean
  readonly quiet?: boolean
  readonly out: string
}

/** How many defects are run in shuffled orders when none are named. */
export const SHUFFLED_DEFECTS = 40
