import type { Hex } from 'viem'
import type { EvmState } from '../../evm/state.ts'
import { resolveBlob } from '../format/blobs.ts'
import type { DraftOf } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'

/** Describes what the run did to the chain without a transaction. */
type Change =
  | { readonly kind: 'state'; readonly apply: (state: EvmState) => void }
  | { readonly kind: 'base-fee'; readonly wei: bigint }

/** Returns what an entry changes without a transaction; null: nothing, or what shows in the next blocks. */
export function changeOf(
  { method, params, error }: Pick<DraftOf<'control'>, 'method' | 'params' | 'error'>,
  blobs: Recording['blobs'],
): Change | null {
  const resolved = resolveBlob(blobs, params)
  const [first, second, third] = (Array.isArray(resolved) ? resolved : []).map(lowered)
  if (error !== null || !isHex(first)) return null
  if (method === 'anvil_setNextBlockBaseFeePerGas') return { kind: 'base-fee', wei: BigInt(first) }
  const state = (apply: (state: EvmState) => void): Change => ({ kind: 'state', apply })
  if (method === 'anvil_setCode' && isHex(second))
    return state((of) => of.setAccount(first, { code: second }))
  if (method === 'anvil_setBalance' && isHex(second))
    return state((of) => of.setAccount(first, { balance: BigInt(second) }))
  if (method === 'anvil_setStorageAt' && isHex(second) && isHex(third))
    return state((of) => of.setSlot(first, second, third))
  return null
}

/** Services write addresses in either case, and runs send them on. */
const lowered = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]*$/.test(value)
}
