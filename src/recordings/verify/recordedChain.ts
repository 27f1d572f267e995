import { type Hex, parseTransaction } from 'viem'
import type { TransactionFacts } from '../../oracles/index.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import { demand } from './errors.ts'

type BlockEntry = DraftOf<'block'>
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
  readonly #base: Known

  /** @throws {ContradictionError} a block has no parent before it, or does not follow it. */
  constructor(entries: Drafts) {
    const { base } = only(entries, 'genesis')[1]
    this.#base = {
      number: BigInt(base.number),
      timestampS: BigInt(base.timestampS),
      parentHash: null,
      transactions: new Map(),
    }
    this.#blocks.set(base.hash, this.#base)
    for (const [at, block] of positioned(entries, 'block')) this.#add(at, block)
  }

  /** The block of this hash; null: not recorded. */
  block(hash: string): { readonly number: bigint; readonly timestampS: bigint } | null {
    return this.#blocks.get(hash) ?? null
  }

  /** Whether blocks of this number belong to the deployment, which is not recorded block by block. */
  isDeployment(number: bigint): boolean {
    return number < this.#base.number
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
    demand(parent !== undefined, at, 'header.parentHash', `no entry before it holds block ${parentHash}`)
    demand(!this.#blocks.has(blockHash), at, 'blockHash', 'recorded before')
    const follows = BigInt(number) === parent.number + 1n
    demand(follows, at, 'number', `${number} does not follow ${parent.number}`)
    const isLater = BigInt(timestampS) >= parent.timestampS
    demand(isLater, at, 'header.timestampS', `lies before its parent's ${parent.timestampS}`)
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
