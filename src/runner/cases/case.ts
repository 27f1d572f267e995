import type { CaseResult } from '../../reporting/results.ts'
import type { LineFaultKind } from '../../simulation/faults/faults.ts'
import type { Capability, RequirementId } from '../../spec/requirements/index.ts'
import type { Part, With } from '../../targets/environment/environment.ts'

/** A test case for any target that has the parts it uses. */
export interface Case<Used extends Part = Part> {
  /** Stable, dotted, named for the behaviour; never a position. */
  readonly id: string
  readonly title: string
  /** The first is the one that the case tests; the others are judged along the way. */
  readonly requirements: readonly RequirementId[]
  /** Parts of the environment that it uses in addition to HTTP. It is skipped where one of these is missing. */
  readonly uses: readonly Used[]
  /** Reason that it uses them, where the message of the skip would not make it clear. */
  readonly reason?: string
  /** Capabilities that the case needs although its requirements do not. */
  readonly capabilities?: readonly Capability[]
  /** Cases of one group share work, so one worker runs all of them. Default: a case by itself. */
  readonly group?: string
  /**
   * Fault on the line to the chain that slows the target down. The case leaves the chain alone, injects the fault once, before
   * anything else, and restores the line. Where time is real, cases with the same fault wait concurrently.
   */
  readonly waitsUnder?: LineFaultKind
  /** True if it begins with its own reset. Default: the world is reset before it. */
  readonly resetsItself?: boolean
  /** Approximate time that it waits where time is real, in seconds: copies of a service share such cases out. Default: 0. */
  readonly waitsS?: number
  /** Approximate time apart from its waits, in seconds; set where it sends far more requests than others. Default: 0.2. */
  readonly busyS?: number
  /** @throws {PromiseBrokenError} the target breaks a promise. */
  run(environment: With<Used>): Promise<CaseEvidence>
}

/** Returns whether a case sends no more requests than most. The others send in many variants what short cases send once. */
export function isShort({ busyS }: Case): boolean {
  return busyS === undefined
}

/** Evidence of a case that ended without a broken promise. */
export interface CaseEvidence {
  readonly exercised: number
  readonly notes?: readonly string[]
  /** Values that it was the first case to meet, of all that the cases of a kind must meet together. */
  readonly meets?: CaseResult['meets']
  /**
   * Reason that nothing could be exercised of a target that is served and keeps every promise: it chose differently where the
   * specification leaves a choice. Only with `exercised` 0.
   */
  readonly notApplicable?: string
}
