import { isDeepEnough } from '../../oracles/index.ts'
import type { Change } from '../steps/steps.ts'
import { ModelChain } from './modelChain.ts'
import type { ScriptBuild, ScriptReport, ScriptTransaction } from './scriptParts.ts'

/** The transactions of a script: their states, and the nonce that each account can use next. */
export class ScriptLedger {
  readonly transactions: ScriptTransaction[] = []
  readonly chain = new ModelChain()
  /** By account: the nonce of its next new transaction, and of the next that a block can include. */
  readonly #next = new Map<string, number>()
  readonly #minedUpTo = new Map<string, number>()

  /** Returns whether an orphaned or dropped transaction blocks this account: the same bytes must be sent again first. */
  isBlocked(account: string): boolean {
    return this.transactions.some((tx) => tx.account === account && tx.state === 'lost')
  }

  /** Transactions that execute a build, changed or not, in any state. */
  swaps(): readonly ScriptTransaction[] {
    return this.transactions.filter(({ build }) => build !== null)
  }

  replaceable(): readonly ScriptTransaction[] {
    return this.swaps().filter(({ state, account }) => state === 'waiting' && !this.isBlocked(account))
  }

  /** Pending swaps that are the last transaction of their account. */
  droppable(): readonly ScriptTransaction[] {
    return this.replaceable().filter(({ account, nonce }) => this.#next.get(account) === nonce + 1)
  }

  /** Returns the first lost transaction of each account: the one that can be sent again. */
  lost(): readonly ScriptTransaction[] {
    const lost = this.transactions.filter(({ state }) => state === 'lost')
    return lost.filter((tx) => !lost.some((each) => each.account === tx.account && each.nonce < tx.nonce))
  }

  /** Unchanged swaps that could be credited now and were not reported since. */
  ripe(): readonly ScriptTransaction[] {
    return this.swaps().filter((tx) => tx.change === 'none' && !tx.reportedDeep && this.#isDeep(tx))
  }

  /** Swaps that are deep on a branch that a node may still follow, but not on the canonical chain. */
  abandoned(): readonly ScriptTransaction[] {
    return this.swaps().filter((tx) => tx.wasDeep && !this.#isDeep(tx))
  }

  send(name: string, account: string, build: ScriptBuild | null, change: Change): void {
    const nonce = this.#next.get(account) ?? 0
    this.#next.set(account, nonce + 1)
    this.#wait({ name, account, nonce, build, change })
  }

  takePlace(old: ScriptTransaction, name: string, build: ScriptBuild | null, change: Change): void {
    old.state = 'gone'
    this.#wait({ name, account: old.account, nonce: old.nonce, build, change })
  }

  /** Mines a block with the pending transactions, of each account as far as its nonces are consecutive. */
  mine(operators: boolean, timeS?: number): void {
    const waiting = this.transactions
      .filter(({ state }) => state === 'waiting')
      .sort((one, other) => one.nonce - other.nonce)
    const taken = waiting.filter((tx) => {
      if (tx.nonce !== (this.#minedUpTo.get(tx.account) ?? 0)) return false
      this.take(tx)
      return true
    })
    this.chain.add(taken, operators, timeS)
  }

  take(tx: ScriptTransaction): void {
    tx.state = 'mined'
    this.#minedUpTo.set(tx.account, tx.nonce + 1)
  }

  /** Marks the transactions of the last `depth` blocks as lost and returns them with the index of their block among these. */
  leaveBranch(depth: number): readonly { readonly tx: ScriptTransaction; readonly index: number }[] {
    const taken = this.chain
      .last(depth)
      .flatMap((transactions, index) => transactions.map((tx) => ({ tx, index })))
    for (const { tx } of taken) {
      if (this.#isDeep(tx)) tx.wasDeep = true
      this.#minedUpTo.set(tx.account, Math.min(this.#minedUpTo.get(tx.account) ?? 0, tx.nonce))
      tx.state = 'lost'
    }
    return taken
  }

  noteReported({ tx }: ScriptReport): void {
    if (tx.wasDeep || this.#isDeep(tx)) tx.reportedDeep = true
  }

  #isDeep(tx: ScriptTransaction): boolean {
    return isDeepEnough(this.chain.depthOf(tx))
  }

  #wait(tx: Pick<ScriptTransaction, 'name' | 'account' | 'nonce' | 'build' | 'change'>): void {
    this.transactions.push({ ...tx, state: 'waiting', wasDeep: false, reportedDeep: false })
  }
}
