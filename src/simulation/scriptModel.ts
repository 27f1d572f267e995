import { ScriptLedger } from './scriptLedger.ts'
import type { ScriptBuild, ScriptReport, ScriptTransaction, StepInputOf } from './scriptParts.ts'
import type { Change, StepInput } from './steps.ts'

const WINDOW_S = 1_200
/** Blocks have whole seconds, and the clock may be ahead of what is known by any part of one. */
const ROUNDING_S = 2
/** A round trip of confirm or build gives up after so long, so no fault delays it for longer. */
const TRIP_S_MAX = 5

/**
 * What a script has made so far, as far as it follows from the steps alone: which keys, builds and transactions exist,
 * where each transaction stands, what each account may send next. Writes down the steps as it is told of them.
 */
export class ScriptModel {
  readonly steps: StepInput[] = []
  readonly builds: ScriptBuild[] = []
  readonly faultyVenues = new Set<string>()
  readonly ledger = new ScriptLedger()
  /** Active keys with their partners. */
  readonly keys = new Map([
    ['one', 'partner-one'],
    ['two', 'partner-two'],
  ])
  /** Line or store may fail: nobody knows what a build is answered with. */
  disturbed = false
  /** A branch was left, and a node may still hold it. */
  forked = false
  budgetSpent = false
  aheadS = 0
  #target = this.steps
  #amounts = 0
  #doomed = 0
  #issued = 0

  add(step: StepInput): void {
    this.#target.push(step)
  }

  /** The steps that `write` adds happen within the next request. */
  within(trip: number, when: 'before' | 'after', write: () => void): void {
    const steps: StepInput[] = []
    const outer = this.#target
    this.#target = steps
    write()
    this.#target = outer
    this.add({ op: 'meanwhile', trip, when, orAfterwards: true, steps })
  }

  /** An amount like no other of the script: equal ones may give equal calldata, and one transaction two builds. */
  freshAmount(unit: number): number {
    this.#amounts += 1
    return Number((unit * (1 + this.#amounts / 100)).toFixed(4))
  }

  /** Builds that their account can send now. */
  sendable(): readonly ScriptBuild[] {
    return this.builds.filter(({ stale, account }) => !stale && !this.ledger.isBlocked(account))
  }

  /**
   * What every honest report names: the one unchanged transaction of a build that had no other, executed within its
   * window, under a key that is active.
   */
  honest(): readonly ScriptReport[] {
    return this.builds.flatMap((build) => {
      const own = this.ledger.transactions.filter((tx) => tx.build === build && tx.change === 'none')
      const mined = own.filter(({ state }) => state === 'mined')
      const [tx] = mined
      if (tx === undefined || mined.length > 1 || build.tight || build.twin !== null) return []
      const timeS = this.ledger.chain.timeOf(tx) ?? 0
      const early = build.ahead && timeS < build.builtS + ROUNDING_S
      const late = timeS + this.ledger.chain.slackS >= build.builtS + WINDOW_S
      return !early && !late && this.keys.has(build.key) ? [{ key: build.key, build, tx }] : []
    })
  }

  /** Whether the chain's time cannot have come there yet. */
  canMineAtDeadline(build: ScriptBuild, offsetS: number): boolean {
    const targetS = Math.floor(build.builtS + WINDOW_S) + offsetS
    return targetS > Math.max(this.ledger.chain.headS, this.ledger.chain.nowS) + this.ledger.chain.slackS + 1
  }

  mineAtDeadline(build: ScriptBuild, offsetS: number): void {
    this.add({ op: 'mine-at-deadline', build: build.name, offsetS })
    this.ledger.mine(false, Math.floor(build.builtS + WINDOW_S) + offsetS)
  }

  build(request: {
    readonly key: string
    readonly account: string
    readonly body: StepInputOf<'build'>['body']
    readonly approvals: readonly string[]
    readonly hasFeeTransfer?: boolean
    readonly tight?: boolean
    readonly twin?: ScriptBuild
  }): void {
    const { key, account, body, approvals, hasFeeTransfer = false, tight = false, twin = null } = request
    if (this.disturbed) {
      this.doomedBuild(key, account, body)
      return
    }
    const name = `build-${this.builds.length + 1}`
    this.add({ op: 'build', as: name, key, sender: account, body, expect: { status: 200 } })
    const builtS = this.ledger.chain.nowS + this.aheadS
    const about = {
      name,
      key,
      account,
      body,
      approvals,
      hasFeeTransfer,
      tight,
      twin,
      builtS,
      ahead: this.aheadS > 0,
    }
    const build: ScriptBuild = { ...about, approved: false, sent: false, stale: false }
    if (twin !== null) twin.twin = build
    this.builds.push(build)
  }

  /** A build that nobody can rely on. */
  doomedBuild(key: string, account: string, body: StepInputOf<'build'>['body']): void {
    this.#doomed += 1
    this.add({ op: 'build', as: `doomed-${this.#doomed}`, key, sender: account, body })
  }

  approve(build: ScriptBuild): void {
    build.approved = true
    this.add({ op: 'approve', build: build.name })
    for (const end of build.approvals) this.ledger.send(`${build.name}-${end}`, build.account, null, 'none')
  }

  payFee(build: ScriptBuild): void {
    this.add({ op: 'pay-fee', build: build.name })
    this.ledger.send(`${build.name}-fee`, build.account, null, 'none')
  }

  send(build: ScriptBuild, change: Change, account: string): void {
    build.sent = true
    const as = `tx-${this.ledger.transactions.length + 1}`
    this.add({ op: 'send', build: build.name, as, change })
    this.ledger.send(as, account, build, change)
  }

  replace(old: ScriptTransaction, change: Exclude<Change, 'sender'>): void {
    const as = `tx-${this.ledger.transactions.length + 1}`
    this.add({ op: 'replace', tx: old.name, as, change })
    // The bytes follow the build; a replacement of what somebody else sent is still somebody else's.
    this.ledger.takePlace(old, as, old.build, old.change === 'sender' ? 'sender' : change)
  }

  cancel(old: ScriptTransaction): void {
    const as = `tx-${this.ledger.transactions.length + 1}`
    this.add({ op: 'cancel', tx: old.name, as })
    this.ledger.takePlace(old, as, null, 'none')
  }

  drop(tx: ScriptTransaction): void {
    this.add({ op: 'drop', tx: tx.name })
    tx.state = 'lost'
  }

  resend(tx: ScriptTransaction): void {
    this.add({ op: 'resend', tx: tx.name })
    tx.state = 'waiting'
  }

  mine(blocks: number): void {
    this.add({ op: 'mine', blocks })
    for (let mined = 0; mined < blocks; mined += 1) this.ledger.mine(false)
  }

  wait(seconds: number): void {
    this.add({ op: 'wait', seconds })
    this.ledger.chain.pass(seconds)
  }

  skew(aheadMs: number): void {
    this.add({ op: 'skew', aheadMs })
    this.aheadS = aheadMs / 1000
  }

  /**
   * A reorganisation that keeps the first `kept` of the transactions that it takes, each `later` blocks later than it
   * was, if there are so many, and never earlier: it must not execute before its build.
   */
  reorg(depth: number, blocks: number, kept: number, later: number): void {
    this.forked = true
    const keep = this.ledger
      .leaveBranch(depth)
      .map(({ tx, index }) => ({ tx, block: Math.min(index + later, blocks - 1) }))
      .slice(0, kept)
    this.add({ op: 'reorg', depth, blocks, keep: keep.map(({ tx, block }) => ({ tx: tx.name, block })) })
    for (const { tx } of keep) this.ledger.take(tx)
    const branch = Array.from({ length: blocks }, (_, index) =>
      keep.filter(({ block }) => block === index).map(({ tx }) => tx),
    )
    this.ledger.chain.replace(depth, branch)
  }

  rollback(depth: number): void {
    this.forked = true
    this.ledger.leaveBranch(depth)
    this.add({ op: 'rollback', depth })
    this.ledger.chain.replace(depth, [])
  }

  confirm(report: ScriptReport): void {
    this.ledger.noteReported(report)
    this.add({ op: 'confirm', ...written(report) })
  }

  race(reports: readonly ScriptReport[], order: readonly number[]): void {
    for (const report of reports) this.ledger.noteReported(report)
    this.add({
      op: 'race',
      reports: reports.map(written),
      ...(order.length === 0 ? {} : { order: [...order] }),
    })
  }

  issueKey(partner: string): string {
    this.#issued += 1
    const as = `key-${this.#issued}`
    this.add({ op: 'issue-key', as, partner, kind: 'individual' })
    this.keys.set(as, partner)
    return as
  }

  revokeKey(key: string): void {
    this.add({ op: 'revoke-key', key })
    this.keys.delete(key)
  }

  spendBudget(key: string): void {
    this.add({ op: 'spend-budget', key, atMost: 130 })
    this.budgetSpent = true
  }

  disturb(step: StepInputOf<'line-fault' | 'store-fault'>): void {
    this.disturbed = true
    if (step.op === 'line-fault' && step.kind === 'delay')
      this.ledger.chain.mayBeDelayed(step.trips * TRIP_S_MAX)
    this.add(step)
  }

  /** Not while a transaction is under way. */
  fault(step: StepInputOf<'fault'>): void {
    this.add(step)
    this.faultyVenues.add(step.venue)
    for (const build of this.builds) build.stale = true
    this.ledger.mine(true)
  }

  movePool(step: StepInputOf<'move-pool'>): void {
    this.add(step)
    this.ledger.mine(true)
  }

  heal(): void {
    this.add({ op: 'heal' })
    for (const _venue of this.faultyVenues) this.ledger.mine(true)
    this.faultyVenues.clear()
    for (const build of this.builds) build.stale = false
    this.disturbed = false
    this.aheadS = 0
  }
}

function written({ key, build, tx }: ScriptReport): { key: string; build: string; tx: string } {
  return { key, build: build.name, tx: tx.name }
}
