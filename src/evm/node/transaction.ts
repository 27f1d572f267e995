import { type Hex, parseTransaction } from 'viem'
import { senderOf } from '../../sandbox/sender.ts'
import { keccak256 } from '../keccak.ts'

/** A signed transaction and its decoded fields. Addresses in lower case. */
export interface SignedTransaction {
  readonly hash: Hex
  readonly raw: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly nonce: number
  readonly gas: bigint
  readonly valueRaw: bigint
  readonly input: Hex
  readonly type: 0 | 1 | 2
  /** Wei per unit of gas. For the types before EIP-1559, both fees are the gas price. */
  readonly maxFeeWei: bigint
  readonly maxTipWei: bigint
  readonly chainId: bigint | null
  readonly signature: { readonly r: Hex; readonly s: Hex; readonly v: bigint; readonly yParity: number }
}

const TYPES = { legacy: 0, eip2930: 1, eip1559: 2 } as const

/**
 * Reads a signed transaction.
 *
 * @throws {Error} it is not a signed transaction of a type that the chain accepts.
 */
export async function readSigned(raw: Hex): Promise<SignedTransaction> {
  const { type, r, s, v, yParity, ...parsed } = parseTransaction(raw)
  if (r === undefined || s === undefined || type === undefined || !Object.hasOwn(TYPES, type))
    throw new RangeError(`a transaction of type ${type} is not taken`)
  const price = parsed.gasPrice ?? 0n
  const parity = yParity ?? Number(((v ?? 27n) + 1n) % 2n)
  return {
    hash: keccak256(raw),
    raw,
    from: await senderOf(raw),
    to: (parsed.to?.toLowerCase() ?? null) as Hex | null,
    nonce: parsed.nonce ?? 0,
    gas: parsed.gas ?? 0n,
    valueRaw: parsed.value ?? 0n,
    input: parsed.data ?? '0x',
    type: TYPES[type as keyof typeof TYPES],
    maxFeeWei: parsed.maxFeePerGas ?? price,
    maxTipWei: parsed.maxFeePerGas === undefined ? price : (parsed.maxPriorityFeePerGas ?? 0n),
    chainId: parsed.chainId === undefined ? null : BigInt(parsed.chainId),
    signature: { r, s, v: type === 'legacy' ? (v ?? 0n) : BigInt(parity), yParity: parity },
  }
}

/** Returns the price of a unit of gas in a block with this base fee, in wei (EIP-1559). */
export function effectivePriceWei({ maxFeeWei, maxTipWei }: SignedTransaction, baseFeeWei: bigint): bigint {
  const price = baseFeeWei + maxTipWei
  return price < maxFeeWei ? price : maxFeeWei
}
