import type { Hex } from 'viem'
import type { Transport } from '../spec/exchange.ts'
import type { Goal } from '../spec/goal.ts'

/** The clock of a client. */
export interface ClientTime {
  /** Epoch milliseconds. */
  nowMs(): number
  sleep(delayMs: number): Promise<void>
}

/** The input of a client under test for one case. */
export interface ProgramInput {
  /** Name of the case, valid as a file name. */
  readonly name: string
  /** Sends requests to the service; throws where the connection is cut. */
  readonly service: Transport
  /** Sends JSON-RPC to the node, in the same way. */
  readonly node: Transport
  readonly goal: Goal
  readonly apiKey: string
  readonly privateKey: Hex
  readonly time: ClientTime
}

/** The end of one start of a client. */
export interface ProgramEnd {
  /** Null: it was killed. */
  readonly exitCode: number | null
  /** Its output, possibly truncated. */
  readonly printed: string
}

/** A client with its saved state, for one case. */
export interface ProgramInstance {
  /** Starts it, and resolves when it ends. The state saved in an earlier start is still available. */
  start(): Promise<ProgramEnd>
  /** Ends it immediately, like SIGKILL. */
  kill(): Promise<void>
  /** Ends it, and removes its saved state. */
  close(): Promise<void>
}

/** A client that can be run for any case. */
export interface Program {
  open(input: ProgramInput): Promise<ProgramInstance>
}

/** Exit codes of a client under test. Any other means that it failed. */
export const EXIT_DONE = 0
export const EXIT_REFUSED = 3
