import type { ScriptTransaction } from './scriptParts.ts'

interface ModelBlock {
  readonly transactions: readonly ScriptTransaction[]
  /** True if the operator changed a venue in it: removing the block would undo the change. */
  readonly operators: boolean
  readonly timeS: number
}

/**
 * The chain and the clock of a script, as predicted from its steps. Seconds are counted from the start of the run. Delays by
 * faults are not included: `slackS` is the most that the clock may be ahead of this prediction.
 */
export class ModelChain {
  readonly #blocks: ModelBlock[] = []
  /** Index of the block of each transaction. */
  readonly #places = new Map<ScriptTransaction, number>()
  nowS = 0
  slackS = 0

  get headS(): number {
    return this.#blocks.at(-1)?.timeS ?? 0
  }

  /** Time of the next block that is mined without a given time. */
  get nextBlockS(): number {
    return Math.max(this.headS + 1, Math.floor(this.nowS))
  }

  /** Number of blocks since the start of the run. */
  get height(): number {
    return this.#blocks.length
  }

  /** The greatest depth of a reorganisation that keeps the operator's newest block. */
  get reorgLimit(): number {
    return this.#blocks.length - 1 - this.#blocks.findLastIndex(({ operators }) => operators)
  }

  add(transactions: readonly ScriptTransaction[], operators: boolean, timeS = this.nextBlockS): void {
    this.#push({ transactions, operators, timeS })
    this.nowS = Math.max(this.nowS, timeS)
  }

  /** Returns the transactions of the last `depth` blocks, block by block. */
  last(depth: number): readonly (readonly ScriptTransaction[])[] {
    return this.#blocks.slice(-depth).map(({ transactions }) => transactions)
  }

  /** Returns the depth, counting the transaction's own block; 0 if no block includes it. */
  depthOf(transaction: ScriptTransaction): number {
    const place = this.#places.get(transaction)
    return place === undefined ? 0 : this.#blocks.length - place
  }

  /** Replaces the last blocks. The new ones have the times of the old, then one second more each. */
  replace(depth: number, branch: readonly (readonly ScriptTransaction[])[]): void {
    const removed = this.#blocks.splice(-depth, depth)
    for (const { transactions } of removed)
      for (const transaction of transactions) this.#places.delete(transaction)
    const lastS = removed.at(-1)?.timeS ?? this.headS
    for (const [index, transactions] of branch.entries()) {
      const timeS = removed[index]?.timeS ?? lastS + index + 1 - removed.length
      this.#push({ transactions, operators: false, timeS })
    }
  }

  #push(block: ModelBlock): void {
    for (const transaction of block.transactions) this.#places.set(transaction, this.#blocks.length)
    this.#blocks.push(block)
  }
}
