import type { DrivenChain } from '../simulation/world/drivenChain.ts'
import type { Exchange, Transport } from '../spec/exchange.ts'
import type { ClientTime, Program } from './program.ts'

/** The clock of a world. */
export interface WorldTime extends ClientTime {
  /** Calls a function after `delayMs`. @returns a function that cancels the call. */
  after(delayMs: number, call: () => void): () => void
}

/** A clock that advances by itself whenever the client and the world only wait for it. */
export interface DrivenTime {
  readonly time: WorldTime
  /** Stops time while the action is in progress. */
  track<Result>(action: () => Promise<Result>): Promise<Result>
  /** Waits for a promise, and lets time pass meanwhile. */
  settle<Result>(promise: Promise<Result>): Promise<Result>
}

/** The environment of clients: a service, a driven chain, and a clock. */
export interface ClientWorld extends DrivenTime {
  readonly program: Program
  readonly chain: DrivenChain
  readonly service: Transport
  readonly node: Transport
  readonly blockTimeMs: number
  /** Runs actions one after another: driving the chain takes several steps, which must not be interleaved. */
  inTurn<Result>(action: () => Promise<Result>): Promise<Result>
  onExchange(exchange: Exchange): void
}
