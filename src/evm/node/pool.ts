import type { Hex } from 'viem'
import type { SignedTransaction } from './transaction.ts'

/** The pending transactions: first in, first out, as far as the nonces of their senders allow. */
export class NodePool {
  /** In order of arrival. */
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

  /** Returns the pending transaction of the same sender and nonce, which `add` would replace. */
  rivalOf({ from, nonce }: SignedTransaction): SignedTransaction | null {
    return this.#waiting.find((each) => each.from === from && each.nonce === nonce) ?? null
  }

  /** Adds a transaction at the end, and removes its rival. */
  add(transaction: SignedTransaction): void {
    const rival = this.rivalOf(transaction)
    this.#waiting = [...this.#waiting.filter((each) => each !== rival), transaction]
  }

  remove(isRemoved: (transaction: SignedTransaction) => boolean): void {
    this.#waiting = this.#waiting.filter((each) => !isRemoved(each))
  }

  /**
   * Returns the transactions that can be mined, in the order of mining: always the oldest with the next nonce of its sender.
   *
   * @param nonceOf returns the next nonce of an account.
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
