/** The options of `plumbline prove`. Plain data, so that a worker can be sent them. */
export interface ProveOptions {
  readonly only?: string[]
  readonly without?: string[]
  readonly cases?: boolean
  readonly scenarios?: boolean
  readonly properties?: boolean
  readonly variants?: boolean
  readonly defects?: boolean
  readonly full?: boolean
  readonly drawn?: number
  readonly seed: number
  readonly json?: boolean
  readonly quiet?: boolean
  readonly out: string
}
