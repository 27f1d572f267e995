import type { Hex } from 'viem'
import type { SignedTransaction } from './transaction.ts'

/** Transactions that wait: first in, first out, as far as the nonces of their senders follow. */
export class NodePool {
  /** In the order in which they came. */
  #waiting: readonly SignedTransaction[]

  constructor(waiting: readonly SignedTransaction[] = []) {
    this.#waiting = waiting
  }

  get all(): readonly SignedTransaction[] {
    return this.#waiting
  }

  find(hash: Hex): SignedTransaction | null {
    return this.#waiting.find((each) => each.hash === hash) ?? null
  }

  /** Returns the one that a transaction would replace: of the same sender and nonce. */
  rivalOf({ from, nonce }: SignedTransaction): SignedTransaction | null {
    return this.#waiting.find((each) => each.from === from && each.nonce === nonce) ?? null
  }

  /** Adds a transaction behind all others, in the place of its rival. */
  add(transaction: SignedTransaction): void {
    const rival = this.rivalOf(transaction)
    this.#waiting = [...this.#waiting.filter((each) => each !== rival), transaction]
  }

  remove(isRemoved: (transaction: SignedTransaction) => boolean): void {
    this.#waiting = this.#waiting.filter((each) => !isRemoved(each))
  }

  /**
   * Returns the transactions that can be mined, in the order in which the node mines them: always the oldest whose nonce is the next one
   * of its sender.
   *
   * @param nonceOf the next nonce of an account.
   */
  ready(nonceOf: (address: Hex) => number): readonly SignedTransaction[] {
    const next = new Map<Hex, number>()
    const left = [...this.#waiting]
    const ready: SignedTransaction[] = []
    for (;;) {
      const at = left.findIndex(({ from, nonce }) => (next.get(from) ?? nonceOf(from)) === nonce)
      const [found] = at < 0 ? [] : left.splice(at, 1)
      if (found === undefined) return ready
      ready.push(found)
      next.set(found.from, found.nonce + 1)
    }
  }
}
