import type { Json } from '../runner/families/shrinkJson.ts'
import type { Exchange } from '../spec/exchange.ts'
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

/** One way in which seeds of a campaign fail, with the lowest seed that shows it. */
export interface CampaignFailure {
  /** Equal for seeds that break the same property in the same way, on any machine. */
  readonly fingerprint: string
  readonly seed: number
  /** How many seeds fail in this way. */
  readonly seeds: number
  readonly status: 'fail' | 'inconclusive'
  /** The property, or the conformance case; null when no property could be judged. */
  readonly property: string | null
  readonly requirement: string | null
  readonly message: string
  /** The step of the lowest seed's script that it happened at; null when no single step is to blame. */
  readonly path: string | null
}

/** Describes what one seed came to: a function of the seed, the plan and the versions. */
export interface SeedOutcome {
  readonly seed: number
  /** Steps that were run; for suites of cases, how many cases there were. */
  readonly steps: number
  /** How often each state, or class of cases, was met. */
  readonly labels: readonly (readonly [string, number])[]
  /** Everything that happened, in order: what `verify` can name the first difference of. */
  readonly entries: readonly unknown[]
  /** The text whose SHA-256 is the digest of the seed. */
  readonly trace: string
  /** Each way of failing once, in order of its fingerprint. */
  readonly failures: readonly CampaignFailure[]
}

/** A failure as small as it could be made, or why it could not: a function of its seed, the plan and the versions. */
export type ShrunkFailure = SmallestCase | NotShrunk

interface SmallestCase {
  /** As in a kept failure: for a script, its `steps`. */
  readonly case: Json
  readonly requirement: string
  readonly expected: string
  readonly actual: string
  /** How many smaller scripts were run. Absent: the suite shrinks by itself, and its notes say so. */
  readonly tries?: number
  /** True if that was the limit. */
  readonly exhausted?: boolean
  /** What the suite says of how it was found and shrunk. */
  readonly notes?: readonly string[]
}

interface NotShrunk {
  readonly problem: string
  /** The exchange that a case failed at, where it was not generated. */
  readonly exchange?: Exchange
}

/** A shrunk failure with its files. */
export interface KeptShrunk {
  readonly shrunk: ShrunkFailure
  /** The kept failure, as a file among them is written; null where it could not be shrunk. */
  readonly script: string | null
  /** The recording of the smallest case; null where such cases are not recorded. */
  readonly recording: string | null
}

/** Runs the seeds of one plan, and shrinks what fails. */
export interface SeedRunner {
  /** How many seeds it runs at once. Default: one. */
  readonly atOnce?: number
  /** @throws {WorkerError} {TargetGoneError} */
  run(seed: number): Promise<SeedOutcome>
  /** @throws {WorkerError} {TargetGoneError} */
  shrink(failure: Pick<CampaignFailure, 'seed' | 'fingerprint'>): Promise<KeptShrunk>
  stop(): Promise<void>
}

/** Opens a runner of a plan. @param onEnded is called when a process of it was ended from outside, and replaced. */
export type OpenRunner = (plan: SeedPlan, onEnded: (problem: string) => void) => SeedRunner
