import { type Hex, numberToHex } from 'viem'
import { bloomOf, NO_ITEMS, NO_NONCE, NO_ROOT, NO_UNCLES } from '../blockHash.ts'
import type { Executed } from '../call.ts'
import type { ChainPoint } from '../chainPoint.ts'
import { keccak256 } from '../keccak.ts'
import { rlpBytes, rlpList, rlpNumber } from '../rlp.ts'
import { effectivePriceWei, type SignedTransaction } from './transaction.ts'

/** A block of the node, with the state after it. */
export interface NodeBlock extends ChainPoint {
  readonly parentHash: Hex
  readonly stateRoot: Hex
  readonly roots: { readonly transactions: Hex; readonly receipts: Hex }
  /** The RLP of its header. */
  readonly header: Hex
  readonly transactions: readonly MinedTransaction[]
}

interface ExecutedTransaction extends Executed {
  readonly raw: Hex
  readonly cumulativeGasUsed: number
}

export interface MinedTransaction {
  readonly signed: SignedTransaction
  readonly executed: ExecutedTransaction
}

/** The place of a mined transaction. */
export interface Place {
  readonly block: NodeBlock
  readonly index: number
  /** Number of logs of the transactions before it in the block. */
  readonly logsBefore: number
}

/** Anvil's price of blob gas in a receipt; the chain has no blobs. */
const BLOB_GAS_PRICE: Hex = '0x1'

/** Returns a block in the form of `eth_getBlockByNumber`. */
export function describeBlock(block: NodeBlock, isFull = false): object {
  const { context, transactions } = block
  return {
    hash: block.hash,
    parentHash: block.parentHash,
    sha3Uncles: NO_UNCLES,
    miner: context.miner,
    stateRoot: block.stateRoot,
    transactionsRoot: block.roots.transactions,
    receiptsRoot: block.roots.receipts,
    logsBloom: bloomOf(transactions.flatMap(({ executed }) => executed.logs)),
    difficulty: '0x0',
    number: numberToHex(context.number),
    gasLimit: numberToHex(context.gasLimit),
    gasUsed: numberToHex(block.gasUsed),
    timestamp: numberToHex(context.timestampS),
    extraData: '0x',
    mixHash: context.mixHash,
    nonce: NO_NONCE,
    baseFeePerGas: numberToHex(context.baseFeeWei),
    withdrawalsRoot: NO_ITEMS,
    blobGasUsed: '0x0',
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: NO_ROOT,
    totalDifficulty: '0x0',
    size: numberToHex(sizeOf(block)),
    uncles: [],
    transactions: transactions.map(({ signed, executed }, index) =>
      isFull
        ? {
            ...describeMined(signed, { block, index, logsBefore: 0 }),
            ...(executed.succeeded ? { output: executed.returned } : {}),
          }
        : signed.hash,
    ),
    withdrawals: [],
  }
}

/** Returns a pending transaction in the form of `eth_getTransactionByHash`. @param gasPriceWei the expected price. */
export function describeWaiting(signed: SignedTransaction, gasPriceWei: bigint): object {
  return describe(signed, { blockHash: null, blockNumber: null, transactionIndex: null }, gasPriceWei)
}

/** Returns a mined transaction in the form of `eth_getTransactionByHash`. */
export function describeMined(signed: SignedTransaction, place: Place): object {
  const { block, index } = place
  const where = {
    blockHash: block.hash,
    blockNumber: numberToHex(block.context.number),
    transactionIndex: numberToHex(index),
  }
  return {
    ...describe(signed, where, effectivePriceWei(signed, block.context.baseFeeWei)),
    blockTimestamp: numberToHex(block.context.timestampS),
  }
}

function describe(signed: SignedTransaction, where: object, gasPriceWei: bigint): object {
  const { type, signature, maxFeeWei, maxTipWei, chainId } = signed
  const isDynamic = type === 2
  return {
    type: numberToHex(type),
    ...(chainId === null ? {} : { chainId: numberToHex(chainId) }),
    nonce: numberToHex(signed.nonce),
    ...(isDynamic ? {} : { gasPrice: numberToHex(maxFeeWei) }),
    gas: numberToHex(signed.gas),
    ...(isDynamic
      ? { maxFeePerGas: numberToHex(maxFeeWei), maxPriorityFeePerGas: numberToHex(maxTipWei) }
      : {}),
    to: signed.to,
    value: numberToHex(signed.valueRaw),
    ...(type === 0 ? {} : { accessList: [] }),
    input: signed.input,
    r: numberToHex(BigInt(signature.r)),
    s: numberToHex(BigInt(signature.s)),
    ...(type === 0 ? {} : { yParity: numberToHex(signature.yParity) }),
    v: numberToHex(signature.v),
    hash: signed.hash,
    ...where,
    from: signed.from,
    ...(isDynamic ? { gasPrice: numberToHex(gasPriceWei) } : {}),
  }
}

/** Returns the receipt of a mined transaction. */
export function describeReceipt({ signed, executed }: MinedTransaction, place: Place): object {
  const { block, index, logsBefore } = place
  const { number, timestampS, baseFeeWei } = block.context
  const where = {
    transactionHash: signed.hash,
    transactionIndex: numberToHex(index),
    blockHash: block.hash,
    blockNumber: numberToHex(number),
  }
  return {
    type: numberToHex(signed.type),
    status: executed.succeeded ? '0x1' : '0x0',
    cumulativeGasUsed: numberToHex(executed.cumulativeGasUsed),
    logs: executed.logs.map(({ address, topics, data }, at) => ({
      address,
      topics,
      data,
      blockHash: block.hash,
      blockNumber: where.blockNumber,
      blockTimestamp: numberToHex(timestampS),
      transactionHash: signed.hash,
      transactionIndex: where.transactionIndex,
      logIndex: numberToHex(logsBefore + at),
      removed: false,
    })),
    logsBloom: bloomOf(executed.logs),
    ...where,
    gasUsed: numberToHex(executed.gasUsed),
    effectiveGasPrice: numberToHex(effectivePriceWei(signed, baseFeeWei)),
    blobGasPrice: BLOB_GAS_PRICE,
    from: signed.from,
    to: signed.to,
    contractAddress: signed.to === null ? createdBy(signed) : null,
    blockTimestamp: timestampS,
  }
}

/** Returns the address of the contract that a transaction creates (yellow paper, section 7). */
function createdBy({ from, nonce }: SignedTransaction): Hex {
  const fields = [rlpBytes(from.slice(2)), rlpNumber(nonce)]
  return `0x${keccak256(`0x${rlpList(fields)}`).slice(-40)}`
}

/** Returns the size of a block in bytes, counted like the node: without its withdrawals. */
function sizeOf({ header, transactions }: NodeBlock): number {
  const body = transactions.map(({ signed: { type, raw } }) =>
    type === 0 ? raw.slice(2) : rlpBytes(raw.slice(2)),
  )
  return rlpList([header.slice(2), rlpList(body), rlpList([])]).length / 2
}

/** Returns pending transactions in the form of `txpool_content`. @param ready those that may be in the next block. */
export function describePool(
  waiting: readonly SignedTransaction[],
  ready: ReadonlySet<SignedTransaction>,
): object {
  const content = { pending: {}, queued: {} } as Record<
    'pending' | 'queued',
    Record<Hex, Record<number, object>>
  >
  for (const signed of waiting) {
    const place = content[ready.has(signed) ? 'pending' : 'queued']
    place[signed.from] = {
      ...place[signed.from],
      [signed.nonce]: describeWaiting(signed, signed.maxFeeWei),
    }
  }
  return content
}
