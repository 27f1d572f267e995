import { getAddress, type Hex, keccak256, numberToHex, parseTransaction } from 'viem'
import { KEPT_STATES } from './anvil.ts'
import { type Block, type MineBlocks, mineBlockAt, mineBlocks, readBlocks, readHead } from './blocks.ts'
import { ChainError } from './chainError.ts'
import { dropFromPool, type PoolTransaction, readPool, replaceInPool } from './pool.ts'
import {
  coinbaseOfBranch,
  type GoBack,
  type RemovedTransaction,
  type Reorg,
  type ReorgOptions,
  reorganise,
  rollBack,
} from './reorg.ts'
import type { Rpc } from './rpc.ts'
import { senderOf } from './sender.ts'

export interface Receipt {
  readonly hash: Hex
  readonly success: boolean
  readonly blockNumber: bigint
  readonly blockHash: Hex
  readonly gasUsed: bigint
  readonly effectiveGasPriceWei: bigint
}

/** The maximum depth of a reorganisation. After any reset, the node keeps at least this many states. */
export const DEEPEST_REORG = 128
/** The maximum depth for a node that is never reset: half of its kept states, more than a minute of blocks in a client case. */
export const DEEPEST_REORG_WITHOUT_RESETS = KEPT_STATES / 2

export interface ChainOptions {
  /** Takes the node back to a block. Default: its own rollback, which is wrong on a fork. */
  readonly goBack?: GoBack | undefined
  /** Default: `mineBlocks`. */
  readonly mine?: MineBlocks
  /** The maximum depth of a reorganisation. Default: `DEEPEST_REORG`. */
  readonly deepest?: number
}

/**
 * Controls a sandbox's chain. Each method takes several steps on the node, so only one caller may use it at a time, and nothing
 * else may send transactions in the meantime.
 */
export interface SandboxChain {
  head(): Promise<Block>
  /** @throws {ChainError} no such block */
  block(number: bigint): Promise<Block>
  /** Returns null while the transaction is not mined. */
  receipt(hash: Hex): Promise<Receipt | null>

  /**
   * Mines `count` blocks (default 1), one second apart; the first includes the pending transactions.
   * @param firstTimestampS the time of the first. Default: one second after the head.
   * @throws {RpcError} the head is later than `firstTimestampS`
   * @returns the new head
   */
  mine(count?: number, firstTimestampS?: number): Promise<Block>
  /**
   * Mines one block with exactly this time.
   * @throws {TimeGoesBackError} the head is later
   */
  mineAt(timestampS: number): Promise<Block>
  /**
   * Moves the chain's time to `timestampS` by mining a block there, unless the head is there already.
   * @throws {TimeGoesBackError} the head is later
   */
  jumpTo(timestampS: number): Promise<Block>

  /** Adds a signed transaction to the mempool. @throws {RpcError} the node refused it */
  sendRaw(rawTransaction: Hex): Promise<Hex>
  /**
   * Sends and mines one transaction in the next block.
   * @throws {ChainError} the block does not contain it
   */
  execute(rawTransaction: Hex): Promise<Receipt>
  /** Returns the mempool, ordered by sender, then nonce. */
  pool(): Promise<PoolTransaction[]>
  /**
   * Replaces a pending transaction by a signed one of the same sender and nonce; both fees must be a tenth higher, as in
   * go-ethereum.
   * @throws {ChainError} see `replaceInPool`
   * @returns the hash of the new one
   */
  replaceTransaction(hash: Hex, rawTransaction: Hex): Promise<Hex>
  /** Drops a pending transaction silently. @throws {ChainError} */
  drop(hash: Hex): Promise<void>
  dropAll(): Promise<void>

  /**
   * Replaces the newest blocks with others that have different hashes.
   * @throws {ChainError} it goes below the world's first block, or deeper than the kept states; its plan is inconsistent; or a
   *   transaction cannot be mined in its new block
   */
  reorg(options: ReorgOptions): Promise<Reorg>
  /** Removes the newest blocks without replacing them. @throws {ChainError} */
  rollback(depth: number): Promise<Reorg>
  /** Returns orphaned transactions to the mempool in their old order, as the nodes of a real network do. */
  resubmit(removed: readonly RemovedTransaction[]): Promise<void>

  /** Sets the base fee of the next block; those after it follow by EIP-1559. */
  setBaseFee(baseFeeWei: bigint): Promise<void>
}

/**
 * @param floorNumber the newest block that no reorganisation removes: the last block of the deployment
 */
export function createChain(
  rpc: Rpc,
  floorNumber: bigint,
  { goBack = rollBack(rpc), mine = mineBlocks, deepest = DEEPEST_REORG }: ChainOptions = {},
): SandboxChain & { forgetBranches(): void } {
  let branches = 0

  const depthLimit = (head: Block) => Math.min(Number(head.number - floorNumber), deepest)

  const chain: SandboxChain & { forgetBranches(): void } = {
    head: () => readHead(rpc),
    async block(number) {
      return (await readBlocks(rpc, [number]))[0] as Block
    },
    async receipt(hash) {
      const raw = await rpc.request<RawReceipt | null>('eth_getTransactionReceipt', [hash])
      return raw && toReceipt(raw)
    },

    mine: (count = 1, firstTimestampS) => mine(rpc, count, firstTimestampS),
    mineAt: (timestampS) => mineBlockAt(rpc, mine, timestampS),
    async jumpTo(timestampS) {
      const head = await readHead(rpc)
      return head.timestampS === timestampS ? head : mineBlockAt(rpc, mine, timestampS)
    },

    sendRaw: (rawTransaction) => rpc.request<Hex>('eth_sendRawTransaction', [rawTransaction]),
    async execute(rawTransaction) {
      const hash = await chain.sendRaw(rawTransaction)
      await mine(rpc, 1)
      const receipt = await chain.receipt(hash)
      if (receipt === null)
        throw new ChainError(
          `${hash} was sent and not mined`,
          'Check its nonce, and that its maxFeePerGas covers the base fee of the next block.',
        )
      return receipt
    },
    pool: () => readPool(rpc),
    async replaceTransaction(hash, rawTransaction) {
      const transaction = parseTransaction(rawTransaction)
      const from = getAddress(await senderOf(rawTransaction))
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
    dropAll: () => rpc.request<void>('anvil_dropAllTransactions'),

    reorg(options) {
      branches += 1
      return reorganise(rpc, options, coinbaseOfBranch(branches), depthLimit, goBack, mine)
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
