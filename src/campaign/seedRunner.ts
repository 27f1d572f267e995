import type { ShownCase } from '../reporting/documents/failure.ts'
import type { Worker } from '../runner/pool/workers.ts'
import { PlumblineError } from '../spec/errors.ts'
import type { Need } from '../spec/requirements/index.ts'

/** The run of each seed of a campaign. Plain data. */
export interface SeedPlan {
  /** `simulate`: the random script of the seed; `property` and `conform`: the cases of that command. */
  readonly suite: 'simulate' | 'property' | 'conform'
  /** Id of a known-broken service that replaces the reference. */
  readonly defect?: string
  /** Patterns of the cases that are run. Default: all. */
  readonly only?: readonly string[]
  /** The service that is run instead of the reference, on each machine. */
  readonly target?: TargetPlan
}

/**
 * The service that a campaign runs instead of the reference, as the database stores it. Each machine that works on the campaign
 * names its own service: the database holds no key, no node address, and no command that a worker would execute.
 */
export interface TargetPlan {
  /** The command or the base URL with which the campaign was started. */
  readonly named: string
  readonly profile: Need
  /** The options that named it, for the replay lines of failures. */
  readonly options: Readonly<Record<string, string | readonly string[]>>
  /** SHA-256 of what all machines must declare equally: capabilities, names of keys, and the sandbox without its node URL. */
  readonly digest: string
}

/** The service of a campaign cannot be reached, which says nothing about its conformance. */
export class TargetGoneError extends PlumblineError {
  override readonly name = 'TargetGoneError'
  constructor(problem: string) {
    super(problem, 'Start the service again, and a campaign of the seeds that are left.')
  }
}

/** A case as in the result of a run, without machine-specific parts. */
export type FailedCase = Pick<ShownCase, 'id' | 'title' | 'requirements' | 'notes' | 'failure'> & {
  readonly status: 'fail' | 'inconclusive'
}

/** A failure of a seed. */
export interface SeedFailure {
  /** Equal for seeds that break the same property in the same way, on any machine. */
  readonly fingerprint: string
  readonly seed: number
  /** The property, or the conformance case. */
  readonly case: FailedCase
}

/** The outcome of a seed: a function of the seed, the plan and the versions. Plain data. */
export interface SeedOutcome {
  /** Number of steps; for suites of cases, of cases. */
  readonly steps: number
  /** Number of times that each state, or class of cases, was met. */
  readonly labels: readonly (readonly [string, number])[]
  /** SHA-256 of everything that happened, in hex. */
  readonly digest: string
  /** Each kind of failure once, in order of fingerprints. */
  readonly failures: readonly SeedFailure[]
}

/** Runs the seeds of a plan. Rejects with a `TargetGoneError` if the service cannot be reached. */
export type SeedRunner = Worker<number, SeedOutcome>

/** Opens a runner of a plan. @param onEnded called when a process of it is ended from outside and replaced. */
export type OpenRunner = (plan: SeedPlan, onEnded: (problem: string) => void) => SeedRunner
