import { type Hex, zeroAddress } from 'viem'
import type { BlockContext, UnsignedCall } from './call.ts'
import type { EvmState } from './state.ts'

/** A block with the state that it leaves. */
export interface ChainPoint {
  readonly hash: Hex
  readonly context: BlockContext
  readonly gasUsed: number
  /** The lowest tip per unit of gas that a transaction of the block paid, in wei; null: it has none. */
  readonly lowestTipWei: bigint | null
  readonly state: EvmState
}

/** Describes what a node says to a call: its result, or its error. */
export type NodeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: Hex } }

/** A call as JSON-RPC has it: quantities in hex. */
export interface CallRequest {
  readonly from?: Hex
  readonly to?: Hex | null
  readonly data?: Hex
  readonly input?: Hex
  readonly value?: Hex
  readonly gas?: Hex
}

const free = new WeakMap<BlockContext, BlockContext>()

/** Returns the same block with a base fee of zero, for calls that cost nothing. One for each context: what is made of one is remembered by it. */
export function freeOf(context: BlockContext): BlockContext {
  const known = free.get(context)
  if (known !== undefined) return known
  const made = { ...context, baseFeeWei: 0n }
  free.set(context, made)
  return made
}

const CALL_MEMBERS: ReadonlySet<string> = new Set(['from', 'to', 'data', 'input', 'value', 'gas'])

/** Returns whether this EVM knows everything that a call says, and its execution ends: no call may take more gas than a block holds. */
export function isKnownCall(request: CallRequest, gasLimit: number): boolean {
  const isBounded = request.gas === undefined || Number(request.gas) <= gasLimit
  return isBounded && Object.keys(request).every((name) => CALL_MEMBERS.has(name))
}

/** Returns a call as this EVM takes it: one that names nobody is made by the zero address. */
export function unsigned({ from, to, data, input, value, gas }: CallRequest, gasLimit: number): UnsignedCall {
  return {
    from: (from ?? zeroAddress).toLowerCase() as Hex,
    to: (to?.toLowerCase() ?? null) as Hex | null,
    data: input ?? data ?? '0x',
    valueRaw: BigInt(value ?? 0),
    gas: gas === undefined ? gasLimit : Number(gas),
  }
}
