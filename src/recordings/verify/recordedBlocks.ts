import { type Hex, parseTransaction } from 'viem'
import type { TransactionFacts } from '../../oracles/index.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'

type Transaction = DraftOf<'block'>['transactions'][number]
type Mined = Extract<TransactionFacts, { state: 'mined' }>

interface RecordedBlock {
  readonly number: bigint
  readonly timestampS: bigint
  /** Null: the recording begins on this block. */
  readonly parentHash: string | null
  readonly transactions: readonly Transaction[]
}

/** The blocks of a recording by hash, of every branch. Playback proves their contents. */
export class RecordedBlocks {
  readonly #blocks = new Map<string, RecordedBlock>()
  readonly #mined = new Set<string>()

  constructor(entries: Drafts) {
    const { base, start } = only(entries, 'genesis')[1]
    const { hash, number, timestampS } =
      start === undefined ? base : { ...start, ...start.header, hash: start.blockHash }
    const place = { number: BigInt(number), timestampS: BigInt(timestampS) }
    this.#blocks.set(hash, { ...place, parentHash: null, transactions: [] })
    for (const [, block] of positioned(entries, 'block')) {
      const { parentHash, timestampS } = block.header
      const place = { number: BigInt(block.number), timestampS: BigInt(timestampS) }
      this.#blocks.set(block.blockHash, { ...place, parentHash, transactions: block.transactions })
      for (const { hash } of block.transactions) this.#mined.add(hash)
    }
  }

  block(hash: string): Pick<RecordedBlock, 'number' | 'timestampS'> | null {
    return this.#blocks.get(hash) ?? null
  }

  /** Returns whether any block contains a transaction. */
  hasMined(hash: string): boolean {
    return this.#mined.has(hash)
  }

  /** Returns the facts of a transaction that was mined on the branch up to `head`; null: it was not. */
  mined(head: string, hash: string): Mined | null {
    if (!this.hasMined(hash)) return null
    for (let at: string | null = head; at !== null; ) {
      const block: RecordedBlock | undefined = this.#blocks.get(at)
      const transaction = block?.transactions.find((each) => each.hash === hash)
      if (block !== undefined && transaction !== undefined) return factsOf(transaction, at, block)
      at = block?.parentHash ?? null
    }
    return null
  }
}

function factsOf(
  { raw, from, succeeded }: Transaction,
  blockHash: string,
  { number, timestampS }: RecordedBlock,
): Mined {
  const { to, data, value } = parseTransaction(raw as Hex)
  const place = { blockNumber: number, blockHash, blockTimestampS: timestampS }
  const content = { from, to: to ?? null, input: data ?? '0x', valueRaw: value ?? 0n }
  return { state: 'mined', ...place, succeeded, ...content }
}
