import { z } from 'zod'
import { address, bytes, hash, height, nonsense, quantity, readResult } from '../chain/result.ts'
import type { RpcReply } from '../ports.ts'

/**
 * A transaction as read from the chain: bytes as lower-case hex of even length, quantities as bigints.
 * Fields that must not affect a confirmation (nonce, fees, type, access list: §4.3 rule 1) are not read at all.
 */
export interface TransactionFacts {
  readonly hash: string
  readonly from: string
  /** Null for a contract creation. */
  readonly to: string | null
  readonly input: string
  readonly value: bigint
  /** Null for a legacy transaction signed without a chain id. */
  readonly chainId: bigint | null
}

export interface ReceiptFacts {
  readonly succeeded: boolean
  readonly blockNumber: bigint
  readonly blockHash: string
}

export interface BlockFacts {
  readonly hash: string
  readonly timestampS: number
}

const transactionSchema = z.object({
  hash,
  from: address,
  to: address.nullish().transform((to) => to ?? null),
  input: bytes,
  value: quantity,
  chainId: quantity.nullish().transform((chainId) => chainId ?? null),
})
const receiptSchema = z.object({
  transactionHash: hash,
  status: z.enum(['0x0', '0x1']),
  blockNumber: height,
  blockHash: hash,
})
const blockSchema = z.object({ number: height, hash, timestamp: height })

/** Returns the transaction with this hash, or null when the node does not know it. */
export function readTransaction(reply: RpcReply | undefined, txHash: string): TransactionFacts | null {
  const facts = readResult('the transaction', transactionSchema.nullable(), reply)
  if (facts !== null && facts.hash !== txHash) throw nonsense('a different transaction than requested')
  return facts
}

/** Returns the receipt of this transaction, or null while no block includes it. */
export function readReceipt(reply: RpcReply | undefined, txHash: string): ReceiptFacts | null {
  const facts = readResult('the receipt', receiptSchema.nullable(), reply)
  if (facts === null) return null
  if (facts.transactionHash !== txHash) throw nonsense('the receipt of another transaction')
  return {
    succeeded: facts.status === '0x1',
    blockNumber: facts.blockNumber,
    blockHash: facts.blockHash,
  }
}

/** Returns the canonical block at this height, or null when the chain is shorter. */
export function readBlock(reply: RpcReply | undefined, blockNumber: bigint): BlockFacts | null {
  const facts = readResult('the block', blockSchema.nullable(), reply)
  if (facts === null) return null
  if (facts.number !== blockNumber) throw nonsense('a different block than requested')
  return { hash: facts.hash, timestampS: Number(facts.timestamp) }
}

/** Returns the height of the newest block. */
export const readHead = (reply: RpcReply | undefined): bigint => readResult('the head', height, reply)
