import type { ShownCase } from '../reporting/documents/failure.ts'
import type { Worker } from '../runner/pool/workers.ts'
import { PlumblineError } from '../spec/errors.ts'
import type { Need } from '../spec/requirements/index.ts'

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

/**
 * The service that a campaign runs instead of the reference, as the campaign keeps it. How it is reached is named on every
 * machine that works: the database holds no key, no address of a node, and nothing that a worker would execute.
 */
export interface TargetPlan {
  /** The command or the base URL with which the campaign was started. */
  readonly named: string
  readonly profile: Need
  /** The options that named it, for the lines that run a failure again. */
  readonly options: Readonly<Record<string, string | readonly string[]>>
  /** SHA-256 of what every machine must declare alike: capabilities, names of keys, and sandbox but for the URL of its node. */
  readonly digest: string
}

/** The service of a campaign cannot be reached: that says nothing about its promises. */
export class TargetGoneError extends PlumblineError {
  override readonly name = 'TargetGoneError'
  constructor(problem: string) {
    super(problem, 'Start the service again, and a campaign of the seeds that are left.')
  }
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

/** Runs the seeds of a plan. It rejects with a `TargetGoneError` where the service cannot be reached. */
export type SeedRunner = Worker<number, SeedOutcome>

/** Opens a runner of a plan. @param onEnded is called when a process of it was ended from outside, and replaced. */
export type OpenRunner = (plan: SeedPlan, onEnded: (problem: string) => void) => SeedRunner
