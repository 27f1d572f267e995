import type { Program } from '../../client/program.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { Need } from '../../spec/requirements/index.ts'
import type { SharedChain } from '../chain/targetChain.ts'
import type { TargetDescription, TargetKeys } from '../description.ts'
import type { RequestCounts } from '../transports/httpTransport.ts'
import type { Tap } from '../transports/tap.ts'

/** Options for an implementation outside this process. */
export interface OutsideOptions {
  readonly reach: Need
  readonly description: TargetDescription
  readonly keys: TargetKeys
  /** Names of further environment variables that its programs get. */
  readonly env: readonly string[]
  /** Manifest of a sandbox that is already running; null: there is none. */
  readonly manifest: Manifest | null
  /** Texts that nothing may show: the keys, and other known secrets. */
  readonly secrets: readonly string[]
  /** Folder for the target's log. */
  readonly directory: string
  readonly endsAtMs: number
  readonly requestsMax: number
  /** Counts the requests, of all copies of the target. */
  readonly requests: RequestCounts
  /** Set where the target is started again and again. Default: it is started once. */
  readonly watch?: WatchedStart
  /** Makes a tap, one for each copy of the target. Default: there is none. */
  readonly tap?: () => Tap
  /** The client that cases run against it. Default: there is none. */
  readonly program?: Program
}

/** The chain that a target shares with those that were started before it, and the signal that gives it up. */
export interface WatchedStart {
  readonly chain: SharedChain
  /** Ends the target immediately, even while it starts. */
  readonly signal: AbortSignal
  /** Called when its process ends by itself, with the reason and the end of its output. */
  onGone(reason: string, output: string): void
}
