import { type Hex, parseTransaction } from 'viem'
import type { TransactionFacts } from '../../oracles/index.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import { check } from './errors.ts'

type BlockEntry = DraftOf<'block'>
type Mined = Extract<TransactionFacts, { state: 'mined' }>

/** Blocks one after another without a fork: of the children of a block the first continues its line. */
interface Line {
  /** The block that its first one was mined on; null: the base of the recording. */
  readonly forkedFrom: Known | null
}

interface Known {
  readonly hash: string
  readonly number: bigint
  readonly timestampS: bigint
  /** Null: the base, which the recording only names. */
  readonly entry: BlockEntry | null
  readonly line: Line
}

/** A transaction's place: its block, and its position there. */
export interface Held {
  readonly entry: BlockEntry
  readonly index: number
}

/** Every block of a recording, whatever branch it lies on, by its hash. */
export class RecordedChain {
  readonly #blocks = new Map<string, Known>()
  /** By the hash of a transaction: the blocks that hold it, with what they say of it. */
  readonly #holders = new Map<
    string,
    { readonly block: Known; readonly mined: Mined; readonly held: Held }[]
  >()
  readonly #heights = new Map<bigint, Known[]>()
  /** Blocks that another one was mined on. */
  readonly #parents = new Set<Known>()
  readonly #base: Known
  /** True if there are blocks between the deployment and the recording. */
  readonly beginsLate: boolean

  /** @throws {ContradictionError} a block has no parent before it, or does not follow it. */
  constructor(entries: Drafts) {
    const { base, start } = only(entries, 'genesis')[1]
    this.beginsLate = start !== undefined
    this.#base = {
      hash: start?.blockHash ?? base.hash,
      entry: null,
      number: BigInt(start?.number ?? base.number),
      timestampS: BigInt(start?.header.timestampS ?? base.timestampS),
      line: { forkedFrom: null },
    }
    this.#know(this.#base)
    for (const [at, block] of positioned(entries, 'block')) this.#add(at, block)
  }

  /** Returns the block of this hash; null: not recorded. */
  block(hash: string): Omit<Known, 'line'> | null {
    return this.#blocks.get(hash) ?? null
  }

  /** Returns the block of this number on the branch that ends in `head`; null: not recorded. */
  blockAt(head: string, number: bigint): Omit<Known, 'line'> | null {
    const top = this.#blocks.get(head)
    const block = top && this.#heights.get(number)?.find((each) => isWithin(each, top))
    return block ?? null
  }

  /** Where the branch that ends in `head` holds a transaction; null: nowhere. */
  held(head: string, hash: string): Held | null {
    const top = this.#blocks.get(head)
    const holder = top && this.#holders.get(hash)?.findLast(({ block }) => isWithin(block, top))
    return holder?.held ?? null
  }

  /** Some place of a transaction, whatever branch it lies on; null: it was never mined. */
  heldAnywhere(hash: string): Held | null {
    return this.#holders.get(hash)?.[0]?.held ?? null
  }

  /** Returns whether blocks of this number are older than the recording, as those of the deployment. */
  isDeployment(number: bigint): boolean {
    return number < this.#base.number
  }

  /** Returns what the branch that ends in `head` says of its mined transactions, by hash; null: the head is not recorded. */
  branch(head: string): { get(hash: string): Mined | undefined } | null {
    const block = this.#blocks.get(head)
    if (block === undefined) return null
    return { get: (hash) => this.#holders.get(hash)?.findLast((each) => isWithin(each.block, block))?.mined }
  }

  #know(block: Known): void {
    this.#blocks.set(block.hash, block)
    const others = this.#heights.get(block.number)
    if (others === undefined) this.#heights.set(block.number, [block])
    else others.push(block)
  }

  #add(at: number, entry: BlockEntry): void {
    const { number, blockHash, header, transactions } = entry
    const { parentHash, timestampS } = header
    const parent = this.#blocks.get(parentHash)
    check(parent !== undefined, at, 'header.parentHash', `no entry before it holds block ${parentHash}`)
    check(!this.#blocks.has(blockHash), at, 'blockHash', 'recorded before')
    const follows = BigInt(number) === parent.number + 1n
    check(follows, at, 'number', `${number} does not follow ${parent.number}`)
    const isLater = BigInt(timestampS) >= parent.timestampS
    check(isLater, at, 'header.timestampS', `lies before its parent's ${parent.timestampS}`)
    const place = { blockNumber: BigInt(number), blockHash, blockTimestampS: BigInt(timestampS) }
    const line = this.#parents.has(parent) ? { forkedFrom: parent } : parent.line
    this.#parents.add(parent)
    const block = {
      hash: blockHash,
      number: place.blockNumber,
      timestampS: place.blockTimestampS,
      entry,
      line,
    }
    this.#know(block)
    for (const [index, tx] of transactions.entries()) {
      const mined = { state: 'mined' as const, ...place, ...factsOf(tx) }
      const holder = { block, mined, held: { entry, index } }
      const known = this.#holders.get(tx.hash)
      if (known === undefined) this.#holders.set(tx.hash, [holder])
      else known.push(holder)
    }
  }
}

/** Returns whether a block is an ancestor of the head of a branch, or that head itself. */
function isWithin({ line, number }: Known, head: Known): boolean {
  let top: Known | null = head
  while (top !== null && top.line !== line) top = top.line.forkedFrom
  return top !== null && number <= top.number
}

function factsOf({ raw, from, succeeded }: BlockEntry['transactions'][number]) {
  const { to, data, value } = parseTransaction(raw as Hex)
  return { succeeded, from, to: to ?? null, input: data ?? '0x', valueRaw: value ?? 0n }
}
