import { z } from 'zod'
import { ADDRESS_PATTERN, HEX_PATTERN, TX_HASH_PATTERN } from '../../spec/limits.ts'
import { ChainUnavailableError } from '../errors.ts'
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

const lower = (value: string) => value.toLowerCase()
const hash = z.string().regex(TX_HASH_PATTERN).transform(lower)
const address = z.string().regex(ADDRESS_PATTERN).transform(lower)
const bytes = z.string().regex(HEX_PATTERN).transform(lower)
/** Some nodes pad quantities with zeros, and some return `0x` for zero. */
const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{0,64}$/)
  .transform((text) => (text === '0x' ? 0n : BigInt(text)))
/** A block height or timestamp. A value above the safe integers is invalid. */
const height = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => BigInt(text))
  .refine((value) => value <= BigInt(Number.MAX_SAFE_INTEGER))

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

/** The transaction with this hash, or null when the node does not know it. */
export function readTransaction(reply: RpcReply | undefined, txHash: string): TransactionFacts | null {
  const facts = read('the transaction', transactionSchema.nullable(), reply)
  if (facts !== null && facts.hash !== txHash) throw nonsense('a different transaction than requested')
  return facts
}

/** The receipt of this transaction, or null while it is in no block. */
export function readReceipt(reply: RpcReply | undefined, txHash: string): ReceiptFacts | null {
  const facts = read('the receipt', receiptSchema.nullable(), reply)
  if (facts === null) return null
  if (facts.transactionHash !== txHash) throw nonsense('the receipt of another transaction')
  return {
    succeeded: facts.status === '0x1',
    blockNumber: facts.blockNumber,
    blockHash: facts.blockHash,
  }
}

/** The canonical block at this height, or null when the chain is shorter. */
export function readBlock(reply: RpcReply | undefined, blockNumber: bigint): BlockFacts | null {
  const facts = read('the block', blockSchema.nullable(), reply)
  if (facts === null) return null
  if (facts.number !== blockNumber) throw nonsense('a different block than requested')
  return { hash: facts.hash, timestampS: Number(facts.timestamp) }
}

/** The height of the newest block. */
export const readHead = (reply: RpcReply | undefined): bigint => read('the head', height, reply)

/** The id of the chain that the node serves. */
export const readChainId = (reply: RpcReply | undefined): bigint => read('the chain id', height, reply)

function read<Schema extends z.ZodType>(
  what: string,
  schema: Schema,
  reply: RpcReply | undefined,
): z.output<Schema> {
  if (reply === undefined) throw nonsense(`nothing for ${what}`)
  if (!reply.ok) throw new ChainUnavailableError(`the node refused ${what}: ${reply.message}`)
  const parsed = schema.safeParse(reply.result)
  if (!parsed.success) throw nonsense(`${what} with ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

const nonsense = (answer: string) => new ChainUnavailableError(`the node returned ${answer}`)
