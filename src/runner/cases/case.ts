import type { CaseResult } from '../../reporting/results.ts'
import type { LineFaultKind } from '../../simulation/faults/faults.ts'
import type { Capability, RequirementId } from '../../spec/requirements/index.ts'
import type { Part, With } from '../../targets/environment/environment.ts'

/** One test case, for any target that has the parts that it uses. */
export interface Case<Used extends Part = Part> {
  /** Stable, dotted, named for the behaviour; never a position. */
  readonly id: string
  readonly title: string
  /** The first is what the case tests; the others are judged along the way. */
  readonly requirements: readonly RequirementId[]
  /** What it uses of the environment in addition to HTTP. It is skipped where one of these is missing. */
  readonly uses: readonly Used[]
  /** Why it uses them, where a reader of the skip would wonder. */
  readonly reason?: string
  /** Capabilities that the case needs although its requirements do not. */
  readonly capabilities?: readonly Capability[]
  /** Cases of one group share work, so one worker runs all of them. Default: a case by itself. */
  readonly group?: string
  /**
   * The fault on the line to the chain under which the target takes its time. The case leaves the chain alone, injects the
   * fault first of all and once, and restores the line: where time is real, cases of one fault wait at the same time.
   */
  readonly waitsUnder?: LineFaultKind
  /** True if it begins with a reset of its own, so that none is needed before it. Default: it finds a world that was reset. */
  readonly resetsItself?: boolean
  /** About how long it waits where time is real, in seconds: copies of a service share such cases out. Default: not at all. */
  readonly waitsS?: number
  /** About how long it takes without its waits, in seconds, where it sends far more requests than others. Default: 0.2. */
  readonly busyS?: number
  /** @throws {PromiseBrokenError} the target breaks a promise. */
  run(environment: With<Used>): Promise<CaseEvidence>
}

/** Returns whether a case sends no more requests than most. Others repeat in many rows what short cases ask once. */
export function isShort({ busyS }: Case): boolean {
  return busyS === undefined
}

/** Describes what a case that ended without a broken promise exercised. */
export interface CaseEvidence {
  readonly exercised: number
  readonly notes?: readonly string[]
  /** What it was the first case to meet, of everything that the cases of a kind meet together. */
  readonly meets?: CaseResult['meets']
  /**
   * Why nothing could be exercised of a target that is served and keeps every promise: it chose otherwise where the
   * specification leaves a choice. Only with `exercised` 0.
   */
  readonly notApplicable?: string
}
