import type { Change, StepInput } from './steps.ts'

type StepInputOf<Op extends StepInput['op']> = Extract<StepInput, { op: Op }>

export interface ScriptBuild {
  readonly name: string
  readonly key: string
  readonly account: string
  /** What `approve` sends, in order: ends of the names. */
  readonly approvals: readonly string[]
  approved: boolean
  sent: boolean
  /** A venue was made to fail swaps since: its calldata may name just that venue. */
  stale: boolean
}

export interface ScriptTransaction {
  readonly name: string
  readonly account: string
  readonly nonce: number
  /** Null for approvals, permits and cancellations. */
  readonly build: ScriptBuild | null
  readonly change: Change
  /** `gone`: replaced by another of its nonce. */
  state: 'waiting' | 'mined' | 'lost' | 'gone'
  /** Its credit may stand already, and then no other transaction can have its place. */
  maybeCredited: boolean
}

interface ScriptReport {
  readonly key: string
  readonly build: ScriptBuild
  readonly tx: ScriptTransaction
}

interface ModelBlock {
  readonly transactions: readonly ScriptTransaction[]
  /** The operator changed a venue in it: if it went, so would the change. */
  readonly operators: boolean
}

/** From this depth on a report may be credited. */
const CREDIT_DEPTH = 12

/**
 * What a script has made so far, as far as it follows from the steps alone: which builds and transactions exist, where
 * each transaction stands, what each account may send next. Writes down the steps as it is told of them.
 */
export class ScriptModel {
  readonly steps: StepInput[] = []
  readonly builds: ScriptBuild[] = []
  readonly transactions: ScriptTransaction[] = []
  readonly faultyVenues = new Set<string>()
  /** Line or store may fail: nobody knows what a build is answered with. */
  disturbed = false
  #blocks: ModelBlock[] = []
  /** By account: the nonce of its next new transaction, and of the next that the chain takes. */
  readonly #next = new Map<string, number>()
  readonly #minedUpTo = new Map<string, number>()
  #amounts = 0
  #doomed = 0

  add(step: StepInput): void {
    this.steps.push(step)
  }

  /** An amount like no other of the script: equal ones may give equal calldata, and one transaction two builds. */
  freshAmount(unit: number): number {
    this.#amounts += 1
    return Number((unit * (1 + this.#amounts / 100)).toFixed(4))
  }

  /** Builds that their account can send now. */
  sendable(): readonly ScriptBuild[] {
    return this.builds.filter(({ stale, account }) => !stale && !this.isBlocked(account))
  }

  /** A reorganisation took a transaction of this account: its nonce must be filled by the same bytes first. */
  isBlocked(account: string): boolean {
    return this.transactions.some((tx) => tx.account === account && tx.state === 'lost')
  }

  /** Transactions that carry out a build, changed or not, wherever they stand. */
  swaps(): readonly ScriptTransaction[] {
    return this.transactions.filter(({ build }) => build !== null)
  }

  replaceable(): readonly ScriptTransaction[] {
    return this.swaps().filter(({ state, maybeCredited }) => state === 'waiting' && !maybeCredited)
  }

  /** The first lost transaction of each account: the one that can be sent again. */
  lost(): readonly ScriptTransaction[] {
    const lost = this.transactions.filter(({ state }) => state === 'lost')
    return lost.filter((tx) => !lost.some((each) => each.account === tx.account && each.nonce < tx.nonce))
  }

  /** No transaction is under way, so that a venue that begins to fail spoils none. */
  quiet(): boolean {
    return this.transactions.every(({ state }) => state === 'mined' || state === 'gone')
  }

  /** What every honest report names: the one unchanged transaction of a build that had no other. */
  honest(): readonly { readonly tx: ScriptTransaction; readonly build: ScriptBuild }[] {
    return this.builds.flatMap((build) => {
      const own = this.transactions.filter((tx) => tx.build === build && tx.change === 'none')
      const mined = own.filter(({ state }) => state === 'mined')
      const [tx] = mined
      return tx === undefined || mined.length > 1 ? [] : [{ tx, build }]
    })
  }

  build(request: {
    readonly key: string
    readonly account: string
    readonly body: StepInputOf<'build'>['body']
    readonly approvals: readonly string[]
  }): void {
    const { key, account, body, approvals } = request
    if (this.disturbed) {
      this.#doomed += 1
      this.add({ op: 'build', as: `doomed-${this.#doomed}`, key, sender: account, body })
      return
    }
    const name = `build-${this.builds.length + 1}`
    this.add({ op: 'build', as: name, key, sender: account, body, expect: { status: 200 } })
    this.builds.push({ name, key, account, approvals, approved: false, sent: false, stale: false })
  }

  approve(build: ScriptBuild): void {
    build.approved = true
    this.add({ op: 'approve', build: build.name })
    for (const end of build.approvals) this.#wait(`${build.name}-${end}`, build.account, null, 'none')
  }

  send(build: ScriptBuild, change: Change, account: string): void {
    build.sent = true
    const as = `tx-${this.transactions.length + 1}`
    this.add({ op: 'send', build: build.name, as, change })
    this.#wait(as, account, build, change)
  }

  replace(old: ScriptTransaction, change: Exclude<Change, 'sender'>): void {
    const as = `tx-${this.transactions.length + 1}`
    this.add({ op: 'replace', tx: old.name, as, change })
    // The bytes follow the build; a replacement of what somebody else sent is still somebody else's.
    this.#takePlace(old, as, old.build, old.change === 'sender' ? 'sender' : change)
  }

  cancel(old: ScriptTransaction): void {
    const as = `tx-${this.transactions.length + 1}`
    this.add({ op: 'cancel', tx: old.name, as })
    this.#takePlace(old, as, null, 'none')
  }

  resend(tx: ScriptTransaction): void {
    this.add({ op: 'resend', tx: tx.name })
    tx.state = 'waiting'
  }

  mine(blocks: number): void {
    this.add({ op: 'mine', blocks })
    for (let mined = 0; mined < blocks; mined += 1) this.#block(false)
  }

  /** How deep a reorganisation may go: the operator's newest block stays. */
  reorgLimit(): number {
    return this.#blocks.length - 1 - this.#blocks.findLastIndex(({ operators }) => operators)
  }

  /** The transactions of the last `depth` blocks, block by block. */
  transactionsIn(depth: number): readonly ScriptTransaction[] {
    return this.#blocks.slice(-depth).flatMap(({ transactions }) => transactions)
  }

  /**
   * A reorganisation that keeps the first `kept` of the transactions that it takes, each `later` blocks later than it
   * was, if there are so many, and never earlier: it must not execute before its build.
   */
  reorg(depth: number, blocks: number, kept: number, later: number): void {
    const removed = this.#blocks.slice(-depth)
    const moved = removed.flatMap(({ transactions }, index) =>
      transactions.map((tx) => ({ tx, block: Math.min(index + later, blocks - 1) })),
    )
    const keep = moved.slice(0, kept)
    for (const { tx } of moved) {
      this.#minedUpTo.set(tx.account, Math.min(this.#minedUpTo.get(tx.account) ?? 0, tx.nonce))
      tx.state = 'lost'
    }
    for (const { tx } of keep) this.#take(tx)
    this.add({ op: 'reorg', depth, blocks, keep: keep.map(({ tx, block }) => ({ tx: tx.name, block })) })
    const added = Array.from({ length: blocks }, (_, index) => ({
      transactions: keep.filter(({ block }) => block === index).map(({ tx }) => tx),
      operators: false,
    }))
    this.#blocks = [...this.#blocks.slice(0, -depth), ...added]
  }

  confirm(report: ScriptReport): void {
    this.add({ op: 'confirm', ...this.#reported(report) })
  }

  race(reports: readonly ScriptReport[]): void {
    this.add({ op: 'race', reports: reports.map((report) => this.#reported(report)) })
  }

  disturb(step: StepInputOf<'line-fault' | 'store-fault'>): void {
    this.disturbed = true
    this.add(step)
  }

  /** Not while a transaction is under way. */
  fault(step: StepInputOf<'fault'>): void {
    this.add(step)
    this.faultyVenues.add(step.venue)
    for (const build of this.builds) build.stale = true
    this.#block(true)
  }

  movePool(step: StepInputOf<'move-pool'>): void {
    this.add(step)
    this.#block(true)
  }

  heal(): void {
    this.add({ op: 'heal' })
    for (const _venue of this.faultyVenues) this.#block(true)
    this.faultyVenues.clear()
    for (const build of this.builds) build.stale = false
    this.disturbed = false
  }

  #wait(name: string, account: string, build: ScriptBuild | null, change: Change): void {
    const nonce = this.#next.get(account) ?? 0
    this.#next.set(account, nonce + 1)
    this.#push({ name, account, nonce, build, change })
  }

  #takePlace(old: ScriptTransaction, name: string, build: ScriptBuild | null, change: Change): void {
    old.state = 'gone'
    this.#push({ name, account: old.account, nonce: old.nonce, build, change })
  }

  #push(tx: Pick<ScriptTransaction, 'name' | 'account' | 'nonce' | 'build' | 'change'>): void {
    this.transactions.push({ ...tx, state: 'waiting', maybeCredited: false })
  }

  /** A block takes what waits, of each account as far as its nonces follow one another. */
  #block(operators: boolean): void {
    const waiting = this.transactions
      .filter(({ state }) => state === 'waiting')
      .sort((one, other) => one.nonce - other.nonce)
    const taken = waiting.filter((tx) => {
      if (tx.nonce !== (this.#minedUpTo.get(tx.account) ?? 0)) return false
      this.#take(tx)
      return true
    })
    this.#blocks.push({ transactions: taken, operators })
  }

  #take(tx: ScriptTransaction): void {
    tx.state = 'mined'
    this.#minedUpTo.set(tx.account, tx.nonce + 1)
  }

  #reported({ key, build, tx }: ScriptReport): { key: string; build: string; tx: string } {
    const block = this.#blocks.findLastIndex(({ transactions }) => transactions.includes(tx))
    if (block >= 0 && this.#blocks.length - block >= CREDIT_DEPTH) tx.maybeCredited = true
    return { key, build: build.name, tx: tx.name }
  }
}
