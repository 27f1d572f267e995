import type { Shard } from '../../runner/plan/shard.ts'
import type { Target, TargetOptions } from '../../targets/open.ts'
import type { SuiteChoice } from '../suites/suites.ts'

/**
 * What is run: suites, against a target, under a seed, by some processes. Every command that runs cases is a value of it, and so is
 * each seed of a campaign. Plain data, so that a worker process can be sent it.
 */
export interface Run {
  /** The command, as the result names it. */
  readonly command: string
  readonly suites: readonly SuiteChoice[]
  readonly target: Target
  readonly options: TargetOptions
  /** The id of a known-broken service that takes the place of the reference. Default: none does. */
  readonly defect?: string
  readonly seed: number
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly shard?: Shard
  readonly strict?: boolean
  readonly bail?: boolean
  readonly timeoutS?: number
  readonly instances?: number | 'auto'
  /** In how many lanes each process runs them. Default: as many as the cases call for; where several processes share them, one. */
  readonly lanes?: number
  /** How many processes share the cases of the reference. Default: as many as are worth it. */
  readonly workers?: number
}
