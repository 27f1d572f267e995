import type { RunOptions } from '../run/options.ts'

/** The options of `plumbline prove`. Plain data, so that a worker can be sent them. */
export interface ProveOptions extends Pick<RunOptions, 'only' | 'seed' | 'json' | 'quiet'> {
  readonly without?: string[]
  readonly cases?: boolean
  readonly scenarios?: boolean
  readonly properties?: boolean
  readonly variants?: boolean
  readonly defects?: boolean
  readonly full?: boolean
  readonly drawn?: number
  readonly out: string
}
