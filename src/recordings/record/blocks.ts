import type { Hex, RpcBlock, RpcTransactionReceipt } from 'viem'
import { ChainError } from '../../sandbox/chainError.ts'
import { readRaw } from '../../sandbox/pool.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { DraftOf } from '../format/drafts.ts'

type BlockEntry = DraftOf<'block'>
export type MinedBlock = RpcBlock<'latest', true>

/** A connection to a node, or a node in this process. */
type ChainPort = Pick<Rpc, 'request' | 'batch'>

/** Reads the blocks that a run mines, each once. */
export class BlockReader {
  readonly #rpc: ChainPort
  readonly #known: Set<string>

  /** @param start the hash of the block that the run begins on. */
  constructor(rpc: ChainPort, start: string) {
    this.#rpc = rpc
    this.#known = new Set([start])
  }

  /**
   * Returns the blocks from the first known one up to the block `head`, the oldest first.
   *
   * @throws {ChainError} the node does not have one of them.
   */
  async readUpTo(head: string): Promise<readonly BlockEntry[]> {
    const found: MinedBlock[] = []
    for (let hash = head; !this.#known.has(hash); ) {
      const block = await this.#rpc.request<MinedBlock | null>('eth_getBlockByHash', [hash, true])
      if (block === null) throw new ChainError(`there is no block ${hash}`, 'Let the chain rest.')
      found.unshift(block)
      hash = block.parentHash
    }
    for (const { hash } of found) this.#known.add(hash)
    return this.#withTransactions(found)
  }

  async #withTransactions(blocks: readonly MinedBlock[]): Promise<readonly BlockEntry[]> {
    const rpc = this.#rpc
    const hashes = blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
    const raws = await readRaw(rpc, hashes)
    const receipts = (await rpc.batch(
      hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    )) as RpcTransactionReceipt[]
    let at = 0
    return blocks.map((block) => ({
      ...headerOf(block),
      transactions: block.transactions.map(({ hash, from }) => {
        const [raw, receipt] = [raws[at] as Hex, receipts[at] as RpcTransactionReceipt]
        at += 1
        return { hash, from, raw, ...resultOf(receipt) }
      }),
    }))
  }
}

/** Returns the entry of a block, without its transactions. */
export function headerOf(block: MinedBlock): Omit<BlockEntry, 'transactions'> {
  return {
    kind: 'block',
    number: Number(block.number),
    blockHash: block.hash,
    header: {
      parentHash: block.parentHash,
      miner: block.miner.toLowerCase(),
      stateRoot: block.stateRoot,
      ...(block.transactions.length === 0
        ? {}
        : { transactionsRoot: block.transactionsRoot, receiptsRoot: block.receiptsRoot }),
      gasLimit: Number(block.gasLimit),
      gasUsed: Number(block.gasUsed),
      timestampS: Number(block.timestamp),
      mixHash: block.mixHash,
      baseFeeWei: BigInt(block.baseFeePerGas ?? 0).toString(),
    },
  }
}

function resultOf({ status, cumulativeGasUsed, logs }: RpcTransactionReceipt) {
  return {
    succeeded: status === '0x1',
    cumulativeGasUsed: Number(cumulativeGasUsed),
    logs: logs.map(({ address, topics, data }) => ({
      address: address.toLowerCase(),
      topics: [...topics],
      data,
    })),
  }
}
