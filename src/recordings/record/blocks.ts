import { type Hex, numberToHex } from 'viem'
import { BlockRangeError } from '../../sandbox/blocks.ts'
import { readRaw } from '../../sandbox/pool.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { EntryOf } from '../format/schema.ts'

type BlockEntry = Omit<EntryOf<'block'>, 'n'>

interface RawTransaction {
  readonly hash: Hex
  readonly from: Hex
}
interface RawLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}
interface RawReceipt {
  readonly status: Hex
  readonly cumulativeGasUsed: Hex
  readonly logs: readonly RawLog[]
}
interface RawBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly miner: Hex
  readonly stateRoot: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly timestamp: Hex
  readonly mixHash: Hex
  readonly baseFeePerGas: Hex
  readonly transactions: readonly RawTransaction[]
}

/** How many blocks one look back takes; most steps mine fewer. */
const BATCH = 16n

/** Reads the blocks that a run makes, each once, on a line of its own. */
export class BlockReader {
  readonly #sandbox: Sandbox
  readonly #known: Set<string>

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
    this.#known = new Set([sandbox.base.hash])
  }

  /** The blocks on the way from `head` back to the first known one, the oldest first. */
  async readUpTo(head: { readonly number: bigint; readonly hash: string }): Promise<readonly BlockEntry[]> {
    const found: RawBlock[] = []
    let next = head.number
    for (let wanted = head.hash; !this.#known.has(wanted); ) {
      if (next <= this.#sandbox.base.number) {
        throw new BlockRangeError(`no way leads from block ${head.hash} to the world`, 'Let the chain rest.')
      }
      for (const block of await this.#readDown(next)) {
        if (this.#known.has(block.hash)) break
        found.unshift(block)
        wanted = block.parentHash
        next = BigInt(block.number) - 1n
      }
    }
    for (const { hash } of found) this.#known.add(hash)
    return this.#withTransactions(found)
  }

  /** Blocks from `number` downwards, none of the deployment: those are large, and known. */
  #readDown(number: bigint): Promise<RawBlock[]> {
    const above = number - this.#sandbox.base.number
    const count = Number(above < BATCH ? above : BATCH)
    const calls = Array.from({ length: count }, (_, index) => ({
      method: 'eth_getBlockByNumber',
      params: [numberToHex(number - BigInt(index)), true],
    }))
    return this.#sandbox.rpc.batch(calls) as Promise<RawBlock[]>
  }

  async #withTransactions(blocks: readonly RawBlock[]): Promise<readonly BlockEntry[]> {
    const { rpc } = this.#sandbox
    const hashes = blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
    const raws = await readRaw(rpc, hashes)
    const receipts = (await rpc.batch(
      hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    )) as RawReceipt[]
    let at = 0
    return blocks.map((block) => ({
      ...headerOf(block),
      transactions: block.transactions.map(({ hash, from }) => {
        const [raw, receipt] = [raws[at] as Hex, receipts[at] as RawReceipt]
        at += 1
        return { hash, from, raw, ...resultOf(receipt) }
      }),
    }))
  }
}

function headerOf(block: RawBlock): Omit<BlockEntry, 'transactions'> {
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
      baseFeeWei: BigInt(block.baseFeePerGas).toString(),
    },
  }
}

function resultOf({ status, cumulativeGasUsed, logs }: RawReceipt) {
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
