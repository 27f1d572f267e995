import type { Hex } from 'viem'

/** The fields of a block that an execution can read. */
export interface BlockContext {
  readonly number: number
  readonly timestampS: number
  readonly miner: Hex
  readonly baseFeeWei: bigint
  readonly gasLimit: number
  readonly mixHash: Hex
}

export interface ExecutedLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/** The outcome of a transaction, or of a call outside of any block. */
export interface Executed {
  readonly succeeded: boolean
  readonly gasUsed: number
  /** The returned data or, for a revert, its data. */
  readonly returned: Hex
  readonly logs: readonly ExecutedLog[]
}

/** A call without a signature. */
export interface UnsignedCall {
  readonly from: Hex
  /** Null: a contract is created from `data`. */
  readonly to: Hex | null
  readonly data: Hex
  readonly valueRaw: bigint
  readonly gas: number
}
