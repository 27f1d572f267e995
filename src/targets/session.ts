import type { SandboxChain } from '../sandbox/chain.ts'
import type { Environment } from './environment/environment.ts'
import type { WaitedMs } from './environment/pace.ts'
import type { TargetScope } from './scope.ts'
import type { RequestCounts } from './transports/httpTransport.ts'
import type { Tap } from './transports/tap.ts'

/** A target that cases can run against, from its start to its end. */
export interface TargetSession extends TargetScope {
  /** What to call it in a report. */
  readonly name: string
  /** What stands before a path in a `curl` line. */
  readonly baseUrl: string
  /** Independent environments: cases may run in all of them at once. */
  readonly lanes: readonly Lane[]
  /** The lanes of copies that are still starting; they come after `lanes`. Default: none. */
  readonly later?: readonly Promise<Lane>[]
  /**
   * True if the plan decides in which lane a case runs: a service that cannot be reset may remember a case, and each run must
   * show it the same cases. Default: a case runs in the lane that is free first.
   */
  readonly casesAreDealt?: boolean
  /**
   * True if it is only assumed that the copies share nothing. Then one that does not start is done without, and a case that does
   * not end well counts only once the others are done. Default: whoever runs them says so.
   */
  readonly copiesAreAssumed?: boolean
  /** Texts that no report may hold. */
  readonly secrets: readonly string[]
  /** How many requests it got until now. Default: it is reached by none that could get lost. */
  readonly requests?: Readonly<RequestCounts>
  /** What whoever runs it should know, such as what was put right before the run. */
  readonly notices: readonly string[]
  /** What its end left, once it has ended. Default: nothing is known. */
  readonly lateNotices?: readonly string[]
  /**
   * Returns what stays up until `end`, for whoever looks at it after the run.
   *
   * @param atBase brings the chain to where a case begins first; otherwise it stays as the last case left it.
   */
  keep(atBase: boolean): Promise<KeptTarget>
  end(): Promise<void>
}

/** A target that stays up after its run. */
export interface KeptTarget {
  /** The base URL of the service. */
  readonly url: string
  /** The chain; null: it is not known. */
  readonly rpcUrl: string | null
  /** What follows `Bearer ` in the header, by the name of the key. */
  readonly keys: Readonly<Record<string, string>>
  /** Resolves to the reason when the service ends by itself. */
  readonly gone: Promise<string>
}

export interface Lane extends Runner {
  /** Returns why the chain of the environment no longer responds; null when it does. */
  chainProblem(): Promise<string | null>
  /**
   * Places for so many cases that wait under the same fault at the same time (`Case.waitsUnder`). Absent where no time is
   * lost when each waits alone.
   */
  together?(count: number): readonly Place[]
}

/** Where one of several cases runs that wait together. */
export interface Place extends Runner {
  /** Its case is over. */
  leave(): void
}

/** Where a case runs. */
export interface Runner {
  /** Returns the environment as a case must find it. @param asItStands the case brings it there by itself. Default: it does not. */
  enter(asItStands?: boolean): Promise<Environment>
  /** Returns what the case since the last call waited for in real time. */
  takeWaitedMs(): WaitedMs
  /** What listens to its cases; absent: nothing does. */
  readonly tap?: Tap
}

/** Returns why a chain does not respond; null when it does. */
export async function chainProblemOf(chain: Pick<SandboxChain, 'head'>): Promise<string | null> {
  try {
    await chain.head()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
