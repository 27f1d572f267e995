import type { Program } from '../../client/program.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { Need } from '../../spec/requirements/index.ts'
import type { SharedChain } from '../chain/targetChain.ts'
import type { TargetDescription, TargetKeys } from '../description.ts'
import type { RequestCounts } from '../transports/httpTransport.ts'
import type { Tap } from '../transports/tap.ts'

/** Describes what is known of an implementation that does not run in this process. */
export interface OutsideOptions {
  readonly reach: Need
  readonly description: TargetDescription
  readonly keys: TargetKeys
  /** The names of further variables of our environment that its programs get. */
  readonly env: readonly string[]
  /** The manifest of a sandbox that runs already; null: none is known. */
  readonly manifest: Manifest | null
  /** Texts that nothing may show: the keys, and what else is known. */
  readonly secrets: readonly string[]
  /** Where the target's log goes. */
  readonly directory: string
  readonly endsAtMs: number
  readonly requestsMax: number
  /** What counts the requests, of all copies of the target. */
  readonly requests: RequestCounts
  /** Where the target is started again and again. Default: it is started once. */
  readonly watch?: WatchedStart
  /** Makes what listens to a target, one for each copy of it. Default: nothing does. */
  readonly tap?: () => Tap
  /** The client that cases run against it. Default: there is none. */
  readonly program?: Program
}

/** Describes what a target shares with those that were started before it, and how it is given up. */
export interface WatchedStart {
  readonly chain: SharedChain
  /** Ends the target at once, also while it starts. */
  readonly signal: AbortSignal
  /** Called when its process ends by itself, with the reason and the end of what it printed. */
  onGone(reason: string, output: string): void
}
