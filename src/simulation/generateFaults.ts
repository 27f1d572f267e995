import { VENUE_IDS } from '../spec/venues.ts'
import { VENUE_FAULT_KINDS } from '../venues-mock/faults.ts'
import type { ScriptModel } from './scriptModel.ts'
import type { ScriptOptions } from './scriptOptions.ts'
import type { ScriptReport, ScriptTransaction } from './scriptParts.ts'
import type { Stream } from './seed.ts'

const STORE_METHODS = [
  'findKeyByHash',
  'spendBudget',
  'findBuild',
  'findAttributionByBuild',
  'findAttributionByTransaction',
  'recordAttribution',
  'recordAttribution',
  'insertBuild',
] as const
const VENUE_FAULTS = VENUE_FAULT_KINDS.filter((kind) => kind !== 'none')
const LINE_FAULTS = [
  'down',
  'answer-lost',
  'rubbish',
  'delay',
  'delay',
  'rate-limited',
  'lag',
  'abandoned',
  'repeated',
  'shuffled',
  'doubled',
] as const
/** Around the timeouts of a quote (4 s) and of a round trip of build and confirm (5 s). */
const DELAYS_MS = [1, 500, 3_999, 4_000, 4_999, 5_000, 30_000] as const
const SKEWS_MS = [-90_000, -10_000, -1_500, -250, 250, 1_500, 10_000, 90_000] as const
const REORG_DEPTH_MAX = 15
/** No request of the reference makes more calls to its ports, unless the fan-out of a quote fails. */
const CRASH_CALLS_MAX = 9
/** A report makes three round trips. */
const LAST_TRIP = 2
/** A move of 5 % each: together they stay far from the half that a loose swap's slippage allows. */
const MOVES_MAX = 5

/** Generates what goes wrong around the users: on the chain, on the way to it, in the service and among its keys. */
export class FaultGenerator {
  readonly #model: ScriptModel
  readonly #stream: Stream
  readonly #options: ScriptOptions
  /** Nothing happens inside the service, and its one node never falls behind itself. */
  readonly #onChain: boolean
  readonly #report: (tx?: ScriptTransaction) => ScriptReport
  #moves = 0

  constructor(
    model: ScriptModel,
    stream: Stream,
    options: ScriptOptions,
    onChain: boolean,
    report: (tx?: ScriptTransaction) => ScriptReport,
  ) {
    this.#model = model
    this.#stream = stream
    this.#options = options
    this.#onChain = onChain
    this.#report = report
  }

  get canMovePool(): boolean {
    return this.#moves < MOVES_MAX
  }

  /** A fault of the line, and a report that meets it. */
  lineFault(): void {
    const kinds = LINE_FAULTS.filter((each) => each !== 'abandoned' || this.#model.forked)
    this.#disturbLine(this.#stream.pick(kinds))
    if (this.#model.ledger.swaps().length > 0) this.#model.confirm(this.#report())
  }

  /** What could be credited goes with its branch, and one of the nodes does not know. */
  fork(): void {
    const tx = this.#stream.pick(this.forkable())
    this.#reorgAway(tx)
    this.#disturbLine('abandoned')
    this.#model.confirm(this.#report(tx))
  }

  /** What is ripe and not too deep to go. */
  forkable(): readonly ScriptTransaction[] {
    const { ledger } = this.#model
    return ledger.ripe().filter((tx) => ledger.chain.depthOf(tx) <= this.#depthMax())
  }

  storeFault(): void {
    const kind = this.#stream.pick(['down', 'answer-lost'] as const)
    const method = this.#stream.pick(STORE_METHODS)
    this.#model.disturb({ op: 'store-fault', kind, method, calls: this.#stream.int(1, 2) })
  }

  venueFault(): void {
    const venue = this.#stream.pick(VENUE_IDS)
    const kind = this.#stream.pick(VENUE_FAULTS)
    const values = { 'move-on-swap': this.#stream.int(1, 3000), 'nonsense-on-quote': this.#stream.int(0, 3) }
    this.#model.fault({
      op: 'fault',
      venue,
      kind,
      value: kind in values ? values[kind as keyof typeof values] : 0,
    })
  }

  movePool(): void {
    this.#moves += 1
    this.#model.movePool({
      op: 'move-pool',
      venue: this.#stream.pick(['venue_a', 'venue_b', 'venue_c', 'venue_e', 'venue_f'] as const),
      from: 'ETH',
      to: 'USDG',
      against: this.#stream.pick(['seller', 'buyer'] as const),
      size: this.#stream.pick(['small', 'large'] as const),
    })
  }

  reorg(): void {
    const depth = this.#stream.int(1, this.#depthMax())
    if (!this.#onChain && this.#stream.chanceBps(2500)) this.#model.rollback(depth)
    else this.#replaceBranch(depth)
  }

  /** The service ends within a request, and starts again. */
  crash(): void {
    const call = this.#stream.int(0, CRASH_CALLS_MAX)
    this.#model.add({ op: 'crash-at', call, when: this.#stream.pick(['before', 'after'] as const) })
    const ripe = this.#model.ledger.ripe()
    if (this.#model.ledger.swaps().length === 0 || this.#stream.chanceBps(2000)) {
      const body = { from: 'ETH', to: 'USDG', amount: this.#model.freshAmount(0.1) }
      this.#model.doomedBuild('one', 'alice', body)
      return
    }
    const report = this.#report(ripe.length > 0 ? this.#stream.pick(ripe) : undefined)
    this.#model.confirm(report)
    // A client that got no answer reports again.
    if (this.#stream.chanceBps(8000)) this.#model.confirm(report)
  }

  /** The chain, the keys or another report get in between the round trips of a report that is ripe. */
  meanwhile(): void {
    const report = this.#report(this.#stream.pick(this.#model.ledger.ripe()))
    this.#model.ledger.noteReported(report)
    const first = this.#stream.pick([0, 1, 1, LAST_TRIP, LAST_TRIP])
    this.#within(first, report)
    if (first < LAST_TRIP && this.#stream.chanceBps(3000)) this.#within(first + 1, report)
    this.#model.confirm(report)
  }

  /** Several reports at once: the same, its rivals for one build or for one transaction, or any. */
  race(): void {
    const first = this.#report()
    const others = Array.from({ length: this.#stream.int(1, 2) }, () => this.#rivalOf(first))
    const order =
      !this.#onChain && this.#stream.chanceBps(7000)
        ? Array.from({ length: this.#stream.int(4, 24) }, () => this.#stream.int(0, 5))
        : []
    this.#model.race([first, ...others], order)
  }

  /** A block at the end of a build's window, and then enough on top of it. */
  deadline(): void {
    const builds = this.deadlinesAhead()
    this.#model.mineAtDeadline(this.#stream.pick(builds), this.#stream.int(-1, 1))
    this.#model.mine(this.#stream.pick([11, 12, 13]))
  }

  /** Builds whose end lies ahead whatever was delayed. */
  deadlinesAhead(): ScriptModel['builds'] {
    return this.#model.builds.filter((build) => this.#model.canMineAtDeadline(build, -1))
  }

  skew(): void {
    this.#model.skew(this.#stream.pick(SKEWS_MS))
  }

  /** A partner changes its key: the new one is there before the old one goes, if it goes. */
  rotateKey(): void {
    const [old, partner] = this.#stream.pick([...this.#model.keys])
    this.#model.issueKey(partner)
    if (old !== 'one' && this.#stream.chanceBps(6000)) this.#model.revokeKey(old)
  }

  spendBudget(): void {
    this.#model.spendBudget(this.#stream.pick([...this.#model.keys.keys()]))
  }

  partnerReport(): void {
    this.#model.add({ op: 'report', key: this.#stream.pick([...this.#model.keys.keys()]) })
  }

  #disturbLine(kind: (typeof LINE_FAULTS)[number]): void {
    // Often all round trips of a report, or its first alone: then only the others can give it away.
    const [skip, trips] = this.#stream.pick([
      [0, LAST_TRIP + 1],
      [0, 1],
      [this.#stream.int(0, LAST_TRIP), this.#stream.int(1, LAST_TRIP + 1)],
    ] as const)
    this.#model.disturb({
      op: 'line-fault',
      kind,
      skip,
      trips,
      ...(kind === 'delay' ? { delayMs: this.#stream.pick(DELAYS_MS) } : {}),
      ...(kind === 'lag' ? { lagBlocks: this.#stream.int(1, 13) } : {}),
    })
  }

  #within(trip: number, report: ScriptReport): void {
    this.#model.within(trip, this.#stream.pick(['before', 'after'] as const), () => {
      const model = this.#model
      const what = this.#stream.int(1, 10)
      if (what <= 5 && model.ledger.chain.reorgLimit > 0) this.#reorgAway(report.tx)
      else if (what === 6) model.mine(this.#stream.int(1, 3))
      else if (what === 7 && report.key !== 'one' && model.keys.has(report.key)) model.revokeKey(report.key)
      else if (what === 8 && this.#options.skew > 0) this.skew()
      else model.confirm(this.#rivalOf(report))
      const [lost] = model.ledger.lost()
      if (lost === undefined || this.#stream.chanceBps(5000)) return
      model.resend(lost)
      if (this.#stream.chanceBps(5000)) model.mine(1)
    })
  }

  /** So deep that the transaction goes, if it can. */
  #reorgAway(tx: ScriptTransaction): void {
    const deepest = this.#depthMax()
    const depth = Math.max(1, Math.min(this.#model.ledger.chain.depthOf(tx), deepest))
    if (this.#stream.chanceBps(2500)) this.#model.rollback(this.#stream.int(depth, deepest))
    else this.#replaceBranch(this.#stream.int(depth, deepest))
  }

  #replaceBranch(depth: number): void {
    const removed = this.#model.ledger.chain.last(depth).flat().length
    const kept = this.#stream.int(0, removed)
    this.#model.reorg(depth, depth + this.#stream.int(0, 2), kept, this.#stream.int(0, 2))
  }

  #rivalOf(report: ScriptReport): ScriptReport {
    const { build, tx } = report
    const { twin } = build
    const others = this.#model.ledger
      .swaps()
      .filter((each) => each !== tx && each.build === build && each.change === 'none')
    const rivals: readonly ScriptReport[] = [
      ...others.map((other) => ({ ...report, tx: other })),
      ...(twin === null ? [] : [{ key: twin.key, build: twin, tx }]),
    ]
    if (rivals.length > 0 && this.#stream.chanceBps(7000)) return this.#stream.pick(rivals)
    return this.#stream.chanceBps(6000) ? report : this.#report()
  }

  #depthMax(): number {
    return Math.min(this.#model.ledger.chain.reorgLimit, REORG_DEPTH_MAX)
  }
}
