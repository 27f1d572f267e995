import type { ShownCase } from '../reporting/documents/failure.ts'
import type { Worker } from '../runner/pool/workers.ts'
import type { TargetPlan } from './targetPlan.ts'

/** Describes what a campaign runs for each of its seeds. Plain data. */
export interface SeedPlan {
  /** `simulate`: the random script of the seed; `property` and `conform`: the cases of that command. */
  readonly suite: 'simulate' | 'property' | 'conform'
  /** The id of a known-broken service that is run instead of the reference. */
  readonly defect?: string
  /** Patterns of the cases that are run. Default: all. */
  readonly only?: readonly string[]
  /** The service that is run instead of the reference, on each machine. */
  readonly target?: TargetPlan
}

/** A case as the result of a run holds it, without what differs from machine to machine. */
export type FailedCase = Pick<ShownCase, 'id' | 'title' | 'requirements' | 'notes' | 'failure'> & {
  readonly status: 'fail' | 'inconclusive'
}

/** One way in which a seed fails. */
export interface SeedFailure {
  /** Equal for seeds that break the same property in the same way, on any machine. */
  readonly fingerprint: string
  readonly seed: number
  /** The property, or the conformance case. */
  readonly case: FailedCase
}

/** Describes what one seed came to: a function of the seed, the plan and the versions. Plain data. */
export interface SeedOutcome {
  /** Steps that were run; for suites of cases, how many cases there were. */
  readonly steps: number
  /** How often each state, or class of cases, was met. */
  readonly labels: readonly (readonly [string, number])[]
  /** SHA-256 of everything that happened, in hex. */
  readonly digest: string
  /** Each way of failing once, in order of its fingerprint. */
  readonly failures: readonly SeedFailure[]
}

/** A failure with its smallest case as its counterexample; one that is not shrunk has none, and its case says why. */
export interface ShrunkFailure {
  readonly case: FailedCase
  /** The recording of the smallest case; null where such cases are not recorded. */
  readonly recording: string | null
}

/** A seed to run, or a failure of it to shrink. */
export interface SeedTask {
  readonly seed: number
  /** The fingerprint of the failure; absent: the seed is run. */
  readonly shrink?: string
}

/** Describes what comes of a task; null: the seed does not fail in this way again. Plain data. */
export type SeedResult = SeedOutcome | ShrunkFailure | null

/** Runs the seeds of a plan, and shrinks what fails. Its tasks reject with a `TargetGoneError` where the service cannot be reached. */
export type SeedRunner = Worker<SeedTask, SeedResult>

/** Opens a runner of a plan. @param onEnded is called when a process of it was ended from outside, and replaced. */
export type OpenRunner = (plan: SeedPlan, onEnded: (problem: string) => void) => SeedRunner
