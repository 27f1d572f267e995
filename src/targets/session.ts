import type { Environment } from './environment.ts'
import type { Exchange } from './exchange.ts'
import type { Means } from './means.ts'

/** A target that cases can be put to, from its start to its end. */
export interface TargetSession extends Means {
  /** What to call it in a report. */
  readonly name: string
  /** What stands before a path in a `curl` line. */
  readonly baseUrl: string
  /** Environments that do not know of one another: cases may run in all of them at once. */
  readonly lanes: readonly Lane[]
  /** Texts that no report may hold. */
  readonly secrets: readonly string[]
  end(): Promise<void>
}

export interface Lane {
  /** The environment as a case must find it. */
  enter(): Promise<Environment>
  transcript(): readonly Exchange[]
  /** Why the chain under the environment no longer answers; null when it does. */
  trouble(): Promise<string | null>
}
