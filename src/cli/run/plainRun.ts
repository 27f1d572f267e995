import type { Shard } from '../../runner/plan/shard.ts'
import type { Target, TargetOptions } from '../../targets/open.ts'
import type { SuiteChoice } from '../suites/suites.ts'

/**
 * A run of suites against a target under a seed. Every command that runs cases creates one, and so does each seed of a campaign.
 * Plain data, so that it can be sent to a worker process.
 */
export interface Run {
  /** The command that the result names. */
  readonly command: string
  readonly suites: readonly SuiteChoice[]
  readonly target: Target
  readonly options: TargetOptions
  /** Id of a known-broken service that replaces the reference. Default: none. */
  readonly defect?: string
  readonly seed: number
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly shard?: Shard
  readonly strict?: boolean
  readonly bail?: boolean
  readonly timeoutS?: number
  readonly instances?: number | 'auto'
  /** Number of lanes in each process. Default: as many as the cases need; one if several processes share them. */
  readonly lanes?: number
  /** Number of processes that share the cases of the reference. Default: as many as are worthwhile. */
  readonly workers?: number
}
