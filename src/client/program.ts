import type { Hex } from 'viem'
import type { Transport } from '../spec/exchange.ts'
import type { Goal } from '../spec/goal.ts'

/** The time in which a client lives. */
export interface ClientTime {
  /** Epoch milliseconds. */
  nowMs(): number
  sleep(delayMs: number): Promise<void>
}

/** What a client under test gets for one case. */
export interface ProgramInput {
  /** The name of the case, as a file may be called. */
  readonly name: string
  /** Carries requests to the service; throws where the connection is cut. */
  readonly service: Transport
  /** Carries JSON-RPC to the node, in the same way. */
  readonly node: Transport
  readonly goal: Goal
  readonly apiKey: string
  readonly privateKey: Hex
  readonly time: ClientTime
}

/** How one start of a client ended. */
export interface ProgramEnd {
  /** The exit code; null: it was killed. */
  readonly exitCode: number | null
  /** What it printed, as far as it is kept. */
  readonly printed: string
}

/** A client with what it keeps, for one case. */
export interface ProgramInstance {
  /** Starts it, and resolves when it ends. What it kept in an earlier start is still there. */
  start(): Promise<ProgramEnd>
  /** Ends it at once, as SIGKILL does. */
  kill(): Promise<void>
  /** Ends it, and removes what it kept. */
  close(): Promise<void>
}

/** A client that can be run for any case. */
export interface Program {
  open(input: ProgramInput): Promise<ProgramInstance>
}

/** The exit codes of a client under test. Any other says that it failed. */
export const EXIT_DONE = 0
export const EXIT_REFUSED = 3
