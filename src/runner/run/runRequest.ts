import type { ClientSeams } from '../../client/inProcessProgram.ts'
import type { Baseline } from '../../reporting/baselineFormat.ts'
import type { Floor, Results, ShardOfRun } from '../../reporting/results.ts'
import type { Verdicts } from '../../reporting/verdicts.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import type { KeptTarget, TargetSession } from '../../targets/session.ts'
import type { WatchedStart } from '../../targets/starting/outsideOptions.ts'
import type { Case } from '../cases/case.ts'
import type { CaseRecordings } from '../cases/caseRecordings.ts'
import type { CaseResult } from '../cases/runCase.ts'
import type { CaseWorker } from '../cases/runCases.ts'
import type { PlanRequest } from '../plan/plan.ts'
import type { Shard } from '../plan/shard.ts'
import type { Ending } from '../verdict/verdict.ts'

/** Everything that decides a run. */
export interface RunRequest extends PlanRequest {
  /** The command, as the result names it. */
  readonly command: string
  readonly seed: number
  /** Time that all cases together may take. Default: half an hour. */
  readonly timeoutS?: number
  /** True if the run ends after the first failure. */
  readonly bail?: boolean
  /** True if a broken convention counts as a failure. Default: it is only reported. */
  readonly strict?: boolean
  readonly baseline?: BaselineRequest | null
  /** The shard whose cases run; checks that only a whole run allows are left to the merged run. */
  readonly shard?: Shard & Pick<ShardOfRun, 'replay' | 'flags'>
  /** Returns the command line that runs one case again. */
  readonly replay: (testCase: Pick<Case, 'id'>) => string
  readonly progress?: RunProgress
  /** Receives each case when it ends, with what the target sent: the target's secrets are still in it. */
  readonly onResult?: (result: CaseResult) => void
  /**
   * Called if a case keeps this process from its event loop, in the middle of that case, with the outcome so far. It must not
   * wait for anything, and returns how this process ends. Default: stalls are not detected.
   */
  readonly onStall?: (outcome: Outcome) => Ending
  /** Changes to the reference. Default: none. */
  readonly seams?: ServiceSeams
  /** Changes to the reference client. Default: none. */
  readonly client?: ClientSeams
  /** Name of the target in the result. Default: the target's own. */
  readonly targetName?: string
  /** Takes over the target after the last case, for as long as needed. Default: the target ends with the run. */
  readonly keep?: (kept: KeptRun) => void
  /** Set where a target is started again whenever it changes. */
  readonly watch?: RunWatch
  /**
   * Number of copies of a started target that run cases in parallel, at most one per case. `auto`: as many as the waits of the
   * cases justify; it is then only assumed that the copies share nothing. Default: 1.
   */
  readonly instances?: number | 'auto'
  /** Records the cases of a target that is reached from outside. Default: nothing is recorded. */
  readonly record?: Pick<CaseRecordings, 'tap' | 'keep'>
  /** Number of lanes in which the cases run; with one, in the same order each time. Default: as many as the cases justify. */
  readonly lanes?: number
  /** Starts processes that share the cases. Default: none do. */
  readonly processes?: (request: RunRequest) => readonly CaseWorker[]
  /** Replaces running the cases. Default: they are run. */
  readonly execute?: (request: RunRequest) => Promise<Executed>
}

/** Results of the cases of a run, with facts about their target. */
export interface Executed {
  readonly target: Pick<TargetSession, 'name' | 'baseUrl' | 'reach' | 'capabilities' | 'secrets' | 'requests'>
  readonly suites: readonly { readonly name: string; readonly cases: readonly CaseResult[] }[]
  /** Counts of states or classes of cases that must be met. Default: none. */
  readonly floors?: readonly Floor[]
  /** True if every case was chosen, so that a requirement without evidence is a gap. */
  readonly whole: boolean
}

/** A target that stays up after its run, until `end`. */
export interface KeptRun extends KeptTarget {
  /** Id of the only case that ran, which left the chain as it is. Null: several ran, and the chain is as before the first. */
  readonly leftBy: string | null
  end(): Promise<void>
}

/** A run that is one of many, each of which ends immediately when its signal aborts. */
export interface RunWatch extends WatchedStart {
  /** Returns the rank of a case. Lower ranks run first, but cases that use something up always last. */
  rank(testCase: Pick<Case, 'id' | 'waitsS'>): number
}

/** Known failures, and the day on which they are compared, as YYYY-MM-DD. */
export interface BaselineRequest {
  readonly known: Baseline
  readonly today: string
}

/** Shows the progress of a run. */
export interface RunProgress {
  /** @param total number of cases, parts or scripts to run. */
  start(total: number): void
  /** Called when a case begins or ends. @param what all running cases, those that began first in front. */
  running(what: readonly string[]): void
  /** @param what the case that ended. */
  step(what: string): void
  /** Shows a text that stays visible. */
  notice(text: string): void
  end(): void
}

/** Outcome of a run. It contains no secret of the target. */
export interface Outcome {
  readonly result: Results
  readonly verdicts: Verdicts
  /** Address at which the target listens or listened. */
  readonly baseUrl: string
}
