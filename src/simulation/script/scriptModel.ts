import type { Change, StepInput } from '../steps/steps.ts'
import { ScriptLedger } from './scriptLedger.ts'
import type { ScriptBuild, ScriptReport, ScriptTransaction, StepInputOf } from './scriptParts.ts'

const WINDOW_S = 1_200
/** Timeout of a round trip of confirm or build, and so the longest delay by a fault. */
const TRIP_S_MAX = 5

/**
 * State of a script, as far as its steps determine it: the keys, builds and transactions that exist, the state of each
 * transaction, the next nonce of each account. Collects the steps as they are generated.
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
  /** True if line or store may fail, so that a build may not be served. */
  disturbed = false
  /** True if a branch was orphaned that a node may still follow. */
  forked = false
  budgetSpent = false
  /** True if time went on to the end of a window. */
  jumped = false
  poolMoves = 0
  aheadS = 0
  #target = this.steps
  #amounts = 0
  #doomed = 0
  #issued = 0

  add(step: StepInput): void {
    this.#target.push(step)
  }

  /** Adds the steps that `write` adds to the next request instead of after it. */
  within(trip: number, when: 'before' | 'after', write: () => void): void {
    const steps: StepInput[] = []
    const outer = this.#target
    this.#target = steps
    write()
    this.#target = outer
    this.add({ op: 'meanwhile', trip, when, orAfterwards: true, steps })
  }

  /** Returns an amount unique in the script: with equal ones, one transaction might execute two builds. */
  freshAmount(unit: number): number {
    this.#amounts += 1
    return Number((unit * (1 + this.#amounts / 100)).toFixed(4))
  }

  /** Returns the builds that their account can send now. */
  sendable(): readonly ScriptBuild[] {
    return this.builds.filter(({ account }) => !this.ledger.isBlocked(account))
  }

  /** Returns whether the chain's time is certain to be before that moment. */
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
    readonly twin?: ScriptBuild
  }): void {
    const { key, account, body, approvals, hasFeeTransfer = false, twin = null } = request
    if (this.disturbed) {
      this.doomedBuild(key, account, body)
      return
    }
    const name = `build-${this.builds.length + 1}`
    this.add({ op: 'build', as: name, key, sender: account, body })
    const builtS = this.ledger.chain.nowS + this.aheadS
    const about = { name, key, account, body, approvals, hasFeeTransfer, twin, builtS }
    const build: ScriptBuild = { ...about, approved: false, sent: false }
    if (twin !== null) twin.twin = build
    this.builds.push(build)
  }

  /** Adds a build that may fail, so that no later step uses it. */
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
    // The bytes follow the build; a replacement of another account's transaction is sent by that account too.
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
    this.ledger.chain.nowS += seconds
  }

  skew(aheadMs: number): void {
    this.add({ op: 'skew', aheadMs })
    this.aheadS = aheadMs / 1000
  }

  /**
   * Adds a reorganisation that keeps the first `kept` of the removed transactions, each up to `later` blocks later than before,
   * and never earlier: it must not execute before its build.
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
    if (step.op === 'line-fault' && step.kind === 'delay') {
      this.ledger.chain.slackS += step.trips * TRIP_S_MAX
    }
    this.add(step)
  }

  fault(step: StepInputOf<'fault'>): void {
    this.add(step)
    this.faultyVenues.add(step.venue)
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
    this.disturbed = false
    this.aheadS = 0
  }
}

function written({ key, build, tx }: ScriptReport): { key: string; build: string; tx: string } {
  return { key, build: build.name, tx: tx.name }
}
