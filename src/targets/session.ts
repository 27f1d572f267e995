import type { SandboxChain } from '../sandbox/chain.ts'
import type { Environment } from './environment/environment.ts'
import type { WaitedMs } from './environment/pace.ts'
import type { TargetScope } from './scope.ts'
import type { RequestCounts } from './transports/httpTransport.ts'
import type { Tap } from './transports/tap.ts'

/** A target that cases can run against, from its start to its end. */
export interface TargetSession extends TargetScope {
  /** Name in reports. */
  readonly name: string
  /** Text before the path in a `curl` line. */
  readonly baseUrl: string
  /** Independent environments: cases may run in all of them concurrently. */
  readonly lanes: readonly Lane[]
  /** The lanes of copies that are still starting; they come after `lanes`. Default: none. */
  readonly later?: readonly Promise<Lane>[]
  /**
   * True if the plan decides in which lane a case runs: a service that cannot be reset may remember a case, and must see the
   * same cases in each run. Default: a case runs in the lane that is free first.
   */
  readonly casesAreDealt?: boolean
  /**
   * True if it is only assumed that the copies share nothing. Then a copy that does not start is left out, and a case that does
   * not end well counts only after it has run alone. Default: the user guarantees it.
   */
  readonly copiesAreAssumed?: boolean
  /** Texts that no report may contain. */
  readonly secrets: readonly string[]
  /** Numbers of requests until now. Default: not counted, since none can get lost. */
  readonly requests?: Readonly<RequestCounts>
  /** Notices for the user, such as corrections before the run. */
  readonly notices: readonly string[]
  /** Notices about what its end left behind, once it has ended. Default: none. */
  readonly lateNotices?: readonly string[]
  /**
   * Keeps the target up until `end`, for inspection after the run.
   *
   * @param atBase true: the chain is first brought to the start of a case. Otherwise it stays as the last case left it.
   */
  keep(atBase: boolean): Promise<KeptTarget>
  end(): Promise<void>
}

/** A target that stays up after its run. */
export interface KeptTarget {
  /** Base URL of the service. */
  readonly url: string
  /** RPC URL of the chain; null: unknown. */
  readonly rpcUrl: string | null
  /** Text after `Bearer ` in the header, by the name of the key. */
  readonly keys: Readonly<Record<string, string>>
  /** Resolves to the reason if the service ends by itself. */
  readonly gone: Promise<string>
}

export interface Lane extends Runner {
  /** Returns the reason that the chain of the environment no longer responds; null: it does. */
  chainProblem(): Promise<string | null>
  /**
   * Returns places for this many cases that wait concurrently under the same fault (`Case.waitsUnder`). Absent where no time is
   * lost if each waits alone.
   */
  together?(count: number): readonly Place[]
}

/** Runs one of several cases that wait together. */
export interface Place extends Runner {
  /** Ends its case. */
  leave(): void
}

/** Runs cases one after another. */
export interface Runner {
  /** Returns the environment as a case must find it. @param asItStands true: the case resets it itself. Default: no. */
  enter(asItStands?: boolean): Promise<Environment>
  /** Returns the time waited in real time since the last call. */
  takeWaitedMs(): WaitedMs
  /** Observes its cases; absent: there is none. */
  readonly tap?: Tap
}

/** Returns the reason that a chain does not respond; null: it does. */
export async function chainProblemOf(chain: Pick<SandboxChain, 'head'>): Promise<string | null> {
  try {
    await chain.head()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
