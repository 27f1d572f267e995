import { type Hex, keccak256, numberToHex, parseTransaction, recoverTransactionAddress } from 'viem'
import { PlumblineError } from '../spec/errors.ts'
import { type Block, mineBlockAt, mineBlocks, readBlocks, readHead } from './blocks.ts'
import { dropAllFromPool, dropFromPool, type PoolTransaction, readPool, replaceInPool } from './pool.ts'
import {
  coinbaseOfBranch,
  type RemovedTransaction,
  type Reorg,
  type ReorgOptions,
  reorganise,
} from './reorg.ts'
import type { Rpc } from './rpc.ts'

/** What became of a mined transaction. */
export interface Receipt {
  readonly hash: Hex
  readonly success: boolean
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly gasUsed: bigint
  readonly effectiveGasPriceWei: bigint
}

/** The deepest reorganisation. A reset keeps at least so many states within the node's reach. */
export const DEEPEST_REORG = 128

/**
 * The hands on a sandbox's chain. Each method is several steps on the node: one caller at a time, and nobody else
 * sending meanwhile.
 */
export interface SandboxChain {
  /** The newest block. */
  head(): Promise<Block>
  /** @throws {BlockRangeError} no such block */
  block(number: bigint): Promise<Block>
  /** Null while the transaction is not mined. */
  receipt(hash: Hex): Promise<Receipt | null>

  /**
   * Mines `count` blocks (default 1), one second apart; the first takes what is pending.
   * @returns the new head
   */
  mine(count?: number): Promise<Block>
  /**
   * Mines one block with exactly this time.
   * @throws {TimeGoesBackError} the head is later
   */
  mineAt(timestampS: number): Promise<Block>
  /**
   * Moves the chain's time to `timestampS`: mines a block there, unless the head is there already.
   * @throws {TimeGoesBackError} the head is later
   */
  jumpTo(timestampS: number): Promise<Block>

  /** Puts a signed transaction into the pool. @throws {RpcError} the node refused it */
  sendRaw(rawTransaction: Hex): Promise<Hex>
  /**
   * Sends and mines one transaction in the next block.
   * @throws {TransactionNotMinedError} the block does not hold it
   */
  execute(rawTransaction: Hex): Promise<Receipt>
  /** What waits, ordered by sender, then nonce. */
  pool(): Promise<PoolTransaction[]>
  /**
   * Puts a signed transaction of the same sender and nonce in the place of a waiting one; both fees must be a tenth
   * higher, as go-ethereum asks.
   * @throws {TransactionNotPooledError}
   * @throws {ReplacementMismatchError}
   * @throws {ReplacementUnderpricedError}
   * @returns the hash of the new one
   */
  replaceTransaction(hash: Hex, rawTransaction: Hex): Promise<Hex>
  /** Takes a waiting transaction away, unnoticed by its sender. @throws {TransactionNotPooledError} */
  drop(hash: Hex): Promise<void>
  dropAll(): Promise<void>

  /**
   * Replaces the newest blocks by others with other hashes.
   * @throws {ReorgDepthError} deeper than the world's first block, or than the kept states
   * @throws {ReorgPlanError}
   * @throws {ReorgIncludeError}
   */
  reorg(options: ReorgOptions): Promise<Reorg>
  /** Takes the newest blocks away and puts none in their place. @throws {ReorgDepthError} */
  rollback(depth: number): Promise<Reorg>
  /** Sends what a reorganisation took out, in its old order, into the pool: what a real network's nodes do. */
  resubmit(removed: readonly RemovedTransaction[]): Promise<void>

  /** The base fee of the next block; those after it follow by EIP-1559. */
  setBaseFee(baseFeeWei: bigint): Promise<void>
}

/** A transaction that was sent is not in the block mined right after. */
export class TransactionNotMinedError extends PlumblineError {
  override readonly name = 'TransactionNotMinedError'
  readonly hash: Hex
  constructor(hash: Hex) {
    super(
      `${hash} was sent and not mined`,
      'Check its nonce, and that its maxFeePerGas covers the base fee of the next block.',
    )
    this.hash = hash
  }
}

/** @param floorNumber the block that no reorganisation takes away: the last one of the deployment */
export function createChain(rpc: Rpc, floorNumber: bigint): SandboxChain & { forgetBranches(): void } {
  let branches = 0

  const depthLimit = (head: Block) => Math.min(Number(head.number - floorNumber), DEEPEST_REORG)

  const chain: SandboxChain & { forgetBranches(): void } = {
    head: () => readHead(rpc),
    async block(number) {
      return (await readBlocks(rpc, [number]))[0] as Block
    },
    async receipt(hash) {
      const raw = await rpc.request<RawReceipt | null>('eth_getTransactionReceipt', [hash])
      return raw && toReceipt(raw)
    },

    async mine(count = 1) {
      return (await mineBlocks(rpc, count)).at(-1) as Block
    },
    mineAt: (timestampS) => mineBlockAt(rpc, timestampS),
    async jumpTo(timestampS) {
      const head = await readHead(rpc)
      return head.timestampS === timestampS ? head : mineBlockAt(rpc, timestampS)
    },

    sendRaw: (rawTransaction) => rpc.request<Hex>('eth_sendRawTransaction', [rawTransaction]),
    async execute(rawTransaction) {
      const hash = await chain.sendRaw(rawTransaction)
      await mineBlocks(rpc, 1)
      const receipt = await chain.receipt(hash)
      if (receipt === null) throw new TransactionNotMinedError(hash)
      return receipt
    },
    pool: () => readPool(rpc),
    async replaceTransaction(hash, rawTransaction) {
      const transaction = parseTransaction(rawTransaction)
      const from = await recoverTransactionAddress({
        serializedTransaction: rawTransaction as Parameters<
          typeof recoverTransactionAddress
        >[0]['serializedTransaction'],
      })
      const legacyPrice = transaction.gasPrice ?? 0n
      await replaceInPool(rpc, hash, {
        rawTransaction,
        from,
        nonce: transaction.nonce ?? 0,
        maxFeePerGas: transaction.maxFeePerGas ?? legacyPrice,
        maxPriorityFeePerGas:
          transaction.maxFeePerGas === undefined ? legacyPrice : (transaction.maxPriorityFeePerGas ?? 0n),
      })
      return keccak256(rawTransaction)
    },
    drop: (hash) => dropFromPool(rpc, hash),
    dropAll: () => dropAllFromPool(rpc),

    reorg(options) {
      branches += 1
      return reorganise(rpc, options, coinbaseOfBranch(branches), depthLimit)
    },
    rollback: (depth) => chain.reorg({ depth, newBlocks: 0 }),
    async resubmit(removed) {
      for (const { rawTransaction } of removed) await chain.sendRaw(rawTransaction)
    },

    async setBaseFee(baseFeeWei) {
      await rpc.request('anvil_setNextBlockBaseFeePerGas', [numberToHex(baseFeeWei)])
    },
    forgetBranches() {
      branches = 0
    },
  }
  return chain
}

interface RawReceipt {
  readonly transactionHash: Hex
  readonly status: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
}

function toReceipt(raw: RawReceipt): Receipt {
  return {
    hash: raw.transactionHash,
    success: raw.status === '0x1',
    blockNumber: BigInt(raw.blockNumber),
    blockHash: raw.blockHash,
    gasUsed: BigInt(raw.gasUsed),
    effectiveGasPriceWei: BigInt(raw.effectiveGasPrice),
  }
}
