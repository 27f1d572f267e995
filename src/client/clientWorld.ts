import type { DrivenChain } from '../simulation/world/drivenChain.ts'
import type { Exchange, Transport } from '../spec/exchange.ts'
import type { ClientTime, Program } from './program.ts'

/** The time of a world. */
export interface WorldTime extends ClientTime {
  /** Calls a function after so many milliseconds. @returns takes it back. */
  after(delayMs: number, call: () => void): () => void
}

/** A clock that goes on by itself as soon as nobody can do anything before it does. */
export interface DrivenTime {
  readonly time: WorldTime
  /** Counts what is under way, so that no time passes meanwhile. */
  track<Result>(action: () => Promise<Result>): Promise<Result>
  /** Waits for a promise, and lets time pass meanwhile. */
  settle<Result>(promise: Promise<Result>): Promise<Result>
}

/** Where clients run: a service, a chain that is driven, and a clock. */
export interface ClientWorld extends DrivenTime {
  readonly program: Program
  readonly chain: DrivenChain
  readonly service: Transport
  readonly node: Transport
  /** The time between two blocks. */
  readonly blockTimeMs: number
  /** Runs one thing after the other: what drives the chain takes several steps, and none may come between. */
  inTurn<Result>(action: () => Promise<Result>): Promise<Result>
  onExchange(exchange: Exchange): void
}
