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
  /** How long all cases together may take. Default: half an hour. */
  readonly timeoutS?: number
  /** Ends the run after the first failure. */
  readonly bail?: boolean
  /** True if a convention that is not kept counts as a failure. Default: it is only reported. */
  readonly strict?: boolean
  readonly baseline?: BaselineRequest | null
  /** Runs the cases of one shard, and leaves to the merged run what only a whole one can judge. */
  readonly shard?: Shard & Pick<ShardOfRun, 'replay' | 'flags'>
  /** Returns the command line that runs one case again. */
  readonly replay: (testCase: Pick<Case, 'id'>) => string
  readonly progress?: RunProgress
  /** Gets each case when it ends, with what the target sent: its secrets are still in it. */
  readonly onResult?: (result: CaseResult) => void
  /**
   * Called in the middle of whatever runs where a case keeps this process from its event loop, with what was judged until then. It
   * waits for nothing, and this process ends as it says. Default: nobody watches over that.
   */
  readonly onStall?: (outcome: Outcome) => Ending
  /** What is changed in the reference. Default: nothing. */
  readonly seams?: ServiceSeams
  /** What is changed in the reference client. Default: nothing. */
  readonly client?: ClientSeams
  /** What the result calls the target. Default: as the target calls itself. */
  readonly targetName?: string
  /** Takes over the target after the last case, for as long as it likes. Default: the target ends with the run. */
  readonly keep?: (kept: KeptRun) => void
  /** Where a target is started again whenever it changes. */
  readonly watch?: RunWatch
  /**
   * How many copies of a started target run cases side by side; as many as there are cases at most. `auto`: as many as the
   * waits of the cases call for; that the copies share nothing is then only assumed. Default: one.
   */
  readonly instances?: number | 'auto'
  /** Records the cases of a target that is reached from outside. Default: nothing is recorded. */
  readonly record?: Pick<CaseRecordings, 'tap' | 'keep'>
  /** In how many lanes the cases run; with one, in the same order each time. Default: as many as the cases call for. */
  readonly lanes?: number
  /** Starts processes that share the cases. Default: none do. */
  readonly processes?: (request: RunRequest) => readonly CaseWorker[]
  /** What takes the place of running the cases. Default: they are run. */
  readonly execute?: (request: RunRequest) => Promise<Executed>
}

/** Describes what the cases of a run came to, and what is known of their target. */
export interface Executed {
  readonly target: Pick<TargetSession, 'name' | 'baseUrl' | 'reach' | 'capabilities' | 'secrets' | 'requests'>
  readonly suites: readonly { readonly name: string; readonly cases: readonly CaseResult[] }[]
  /** How often states or classes of cases were met that must be met. Default: none. */
  readonly floors?: readonly Floor[]
  /** True if every case was chosen, so that a requirement without evidence is a gap. */
  readonly whole: boolean
}

/** A target that stays up after its run, until `end`. */
export interface KeptRun extends KeptTarget {
  /** The only case that ran: the chain is as it left it. Null: several ran, and the chain is as before the first. */
  readonly leftBy: string | null
  end(): Promise<void>
}

/** A run that is one of many, each of which ends at once where its signal says so. */
export interface RunWatch extends WatchedStart {
  /** Cases of a lower rank run first, but those that use something up always last. */
  rank(testCase: Pick<Case, 'id' | 'waitsS'>): number
}

/** Known failures, and the day on which they are compared, as YYYY-MM-DD. */
export interface BaselineRequest {
  readonly known: Baseline
  readonly today: string
}

/** Shows how far a run is. */
export interface RunProgress {
  /** @param total How many cases, parts or scripts are run. */
  start(total: number): void
  /** @param what Every case that runs now, those that began first in front; called when one begins or ends. */
  running(what: readonly string[]): void
  /** @param what The case that ended. */
  step(what: string): void
  /** Something that stays to be read, whatever else is shown. */
  notice(text: string): void
  end(): void
}

/** Describes what a run came to. Neither text holds a secret of the target. */
export interface Outcome {
  readonly result: Results
  readonly verdicts: Verdicts
  /** Where the target listens or listened. */
  readonly baseUrl: string
}
