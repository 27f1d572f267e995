import type { Hex } from 'viem'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { Transport } from '../../spec/exchange.ts'
import type { BuildResponse } from '../../spec/wire.ts'
import type { ProgramInput } from '../program.ts'

/** The dependencies of the reference client. */
export interface ClientPorts extends Pick<ProgramInput, 'goal' | 'apiKey' | 'privateKey' | 'time'> {
  /** Throws where the connection is cut. */
  readonly http: Transport
  readonly rpc: Rpc
  readonly state: StateStore
  print(line: string): void
}

/** Storage that survives the end of the client. */
export interface StateStore {
  load(): Promise<ClientState | null>
  save(state: ClientState): Promise<void>
}

/** State that must not be lost: the deadline, and the signed transactions. */
export interface ClientState {
  /** Epoch milliseconds. */
  readonly deadlineMs: number
  /** Null: nothing is signed yet. */
  readonly signed: SignedSwap | null
}

/** A signed swap that may have been sent. Sending the same bytes again is safe. */
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
