import { type Hex, zeroAddress } from 'viem'
import type { BlockContext, UnsignedCall } from './call.ts'
import type { EvmState } from './state.ts'

/** A block with the state after it. */
export interface ChainPoint {
  readonly hash: Hex
  readonly context: BlockContext
  readonly gasUsed: number
  /** The lowest tip per unit of gas that a transaction of the block paid, in wei; null: the block is empty. */
  readonly lowestTipWei: bigint | null
  readonly state: EvmState
}

/** A node's response to a call: its result, or its error. */
export type NodeAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: Hex } }

/** A call in the form of JSON-RPC: quantities in hex. */
export interface CallRequest {
  readonly from?: Hex
  readonly to?: Hex | null
  readonly data?: Hex
  readonly input?: Hex
  readonly value?: Hex
  readonly gas?: Hex
}

const free = new WeakMap<BlockContext, BlockContext>()

/** Returns the block with a base fee of zero, for free calls. The result is always the same object, as caches are keyed by it. */
export function freeOf(context: BlockContext): BlockContext {
  const known = free.get(context)
  if (known !== undefined) return known
  const made = { ...context, baseFeeWei: 0n }
  free.set(context, made)
  return made
}

const CALL_MEMBERS: ReadonlySet<string> = new Set(['from', 'to', 'data', 'input', 'value', 'gas'])

/** Returns whether this EVM supports every member of a call, and its gas limit does not exceed that of a block, so that it ends. */
export function isKnownCall(request: CallRequest, gasLimit: number): boolean {
  const isBounded = request.gas === undefined || Number(request.gas) <= gasLimit
  return isBounded && Object.keys(request).every((name) => CALL_MEMBERS.has(name))
}

/** Converts a call for this EVM. A call without a sender is sent by the zero address. */
export function unsigned({ from, to, data, input, value, gas }: CallRequest, gasLimit: number): UnsignedCall {
  return {
    from: (from ?? zeroAddress).toLowerCase() as Hex,
    to: (to?.toLowerCase() ?? null) as Hex | null,
    data: input ?? data ?? '0x',
    valueRaw: BigInt(value ?? 0),
    gas: gas === undefined ? gasLimit : Number(gas),
  }
}
