import type { Hex } from 'viem'

/** Describes what an execution reads of its block. */
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

/** Describes what a transaction, or a call outside of any block, came to. */
export interface Executed {
  readonly succeeded: boolean
  readonly gasUsed: number
  /** What it returned, or what it reverted with. */
  readonly returned: Hex
  readonly logs: readonly ExecutedLog[]
}

/** A call without a signature. */
export interface UnsignedCall {
  readonly from: Hex
  /** Null: the data creates a contract. */
  readonly to: Hex | null
  readonly data: Hex
  readonly valueRaw: bigint
  readonly gas: number
}
