import type { Hex } from 'viem'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { Transport } from '../../spec/exchange.ts'
import type { Goal } from '../../spec/goal.ts'
import type { BuildResponse } from '../../spec/wire.ts'
import type { ClientTime } from '../program.ts'

/** What the reference client needs from outside. */
export interface ClientPorts {
  readonly goal: Goal
  readonly apiKey: string
  readonly privateKey: Hex
  /** Throws where the connection is cut. */
  readonly http: Transport
  readonly rpc: Rpc
  readonly state: StateStore
  readonly time: ClientTime
  print(line: string): void
}

/** Survives the end of the client. */
export interface StateStore {
  load(): Promise<ClientState | null>
  save(state: ClientState): Promise<void>
}

/** What must not be lost: when to give up, and what was signed. */
export interface ClientState {
  /** Epoch milliseconds. */
  readonly deadlineMs: number
  /** Null: nothing is signed yet. */
  readonly signed: SignedSwap | null
}

/** A swap that was signed, and may have been sent. To send the same bytes again is safe. */
export interface SignedSwap {
  readonly build: BuildResponse
  /** Null: there is no fee to transfer. */
  readonly feeTransfer: Hex | null
  readonly swap: Hex
  readonly hash: Hex
  readonly nonce: number
}

/** The client decided not to swap. */
export class SwapRefusedError extends Error {
  override readonly name = 'SwapRefusedError'
}

/** The client could not swap, or the swap was not recorded. */
export class SwapFailedError extends Error {
  override readonly name = 'SwapFailedError'
}
