import { type Hex, parseTransaction } from 'viem'
import type { TransactionFacts } from '../../oracles/index.ts'
import type { EntryOf } from '../format/schema.ts'
import { type Drafts, positioned } from '../replay/drafts.ts'
import { ContradictionError } from './errors.ts'

type BlockEntry = Omit<EntryOf<'block'>, 'n'>
type Mined = Extract<TransactionFacts, { state: 'mined' }>

interface Known {
  readonly number: bigint
  readonly timestampS: bigint
  readonly parentHash: string | null
  /** By hash: what this block says of its transactions. */
  readonly transactions: ReadonlyMap<string, Mined>
}

/** Every block of a recording, whatever branch it lies on, by its hash. */
export class RecordedChain {
  readonly #blocks = new Map<string, Known>()
  /** By the hash of a head: what its branch says of every transaction. */
  readonly #branches = new Map<string, ReadonlyMap<string, Mined>>()
  #baseNumber = 0n

  /** @throws {ContradictionError} a block has no parent before it, or does not follow it. */
  constructor(entries: Drafts) {
    for (const [at, { base }] of positioned(entries, 'genesis')) {
      if (this.#blocks.size > 0) throw new ContradictionError(at, 'kind', 'a second genesis')
      const { number, timestampS } = base
      this.#baseNumber = BigInt(number)
      this.#blocks.set(base.hash, {
        number: BigInt(number),
        timestampS: BigInt(timestampS),
        parentHash: null,
        transactions: new Map(),
      })
    }
    for (const [at, block] of positioned(entries, 'block')) this.#add(at, block)
  }

  /** The block of this hash; null: not recorded. */
  block(hash: string): { readonly number: bigint; readonly timestampS: bigint } | null {
    return this.#blocks.get(hash) ?? null
  }

  /** Whether blocks of this number belong to the deployment, which is not recorded block by block. */
  isDeployment(number: bigint): boolean {
    return number < this.#baseNumber
  }

  /** What the branch that ends in `head` says of its mined transactions, by hash; null: the head is not recorded. */
  branch(head: string): ReadonlyMap<string, Mined> | null {
    const known = this.#branches.get(head)
    if (known) return known
    const block = this.#blocks.get(head)
    if (block === undefined) return null
    const before = block.parentHash === null ? new Map<string, Mined>() : this.branch(block.parentHash)
    const mined = new Map([...(before ?? []), ...block.transactions])
    this.#branches.set(head, mined)
    return mined
  }

  #add(at: number, { number, blockHash, header, transactions }: BlockEntry): void {
    const { parentHash, timestampS } = header
    const parent = this.#blocks.get(parentHash)
    if (parent === undefined) {
      throw new ContradictionError(at, 'header.parentHash', `no entry before it holds block ${parentHash}`)
    }
    if (this.#blocks.has(blockHash)) throw new ContradictionError(at, 'blockHash', 'recorded before')
    if (BigInt(number) !== parent.number + 1n) {
      throw new ContradictionError(at, 'number', `${number} does not follow ${parent.number}`)
    }
    if (BigInt(timestampS) < parent.timestampS) {
      throw new ContradictionError(at, 'header.timestampS', `lies before its parent's ${parent.timestampS}`)
    }
    const place = { blockNumber: BigInt(number), blockHash, blockTimestampS: BigInt(timestampS) }
    this.#blocks.set(blockHash, {
      number: place.blockNumber,
      timestampS: place.blockTimestampS,
      parentHash,
      transactions: new Map(
        transactions.map((tx) => [tx.hash, { state: 'mined', ...place, ...factsOf(tx) }]),
      ),
    })
  }
}

function factsOf({ raw, from, succeeded }: BlockEntry['transactions'][number]) {
  const { to, data, value } = parseTransaction(raw as Hex)
  return { succeeded, from, to: to ?? null, input: data ?? '0x', valueRaw: value ?? 0n }
}
