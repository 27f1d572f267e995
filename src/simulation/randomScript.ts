import { ACCOUNTS } from '../fixtures/accounts.ts'
import type { VenueId } from '../spec/venues.ts'
import { type ScriptBuild, ScriptModel, type ScriptTransaction } from './scriptModel.ts'
import { type Stream, split } from './seed.ts'
import type { Change, StepInput } from './steps.ts'

/** How much of everything a script holds: shares of its first phase, in basis points of a step's ordinary weight. */
export interface ScriptOptions {
  /** Steps of the first phase. */
  readonly steps: number
  readonly lineFault: number
  readonly storeFault: number
  readonly venueFault: number
  readonly movePool: number
  readonly reorg: number
  readonly restart: number
  readonly replace: number
  readonly race: number
  /** Of the sends: that the transaction is not what the build says. Of the reports: that build or key is another's. */
  readonly dishonestBps: number
}

export interface RandomScript {
  readonly options: ScriptOptions
  readonly steps: readonly StepInput[]
}

const WEIGHTS = [0, 200, 600, 1500] as const
const DISHONEST_BPS = [0, 1000, 3000] as const
const CHANGES: readonly Exclude<Change, 'none' | 'sender'>[] = [
  'minimum',
  'recipient',
  'value',
  'target',
  'batched',
]
const POOLS: readonly VenueId[] = ['venue_a', 'venue_b', 'venue_c', 'venue_e', 'venue_f']
const STORE_METHODS = [
  'findKeyByHash',
  'spendBudget',
  'findBuild',
  'findAttributionByBuild',
  'findAttributionByTransaction',
  'recordAttribution',
  'insertBuild',
] as const
const VENUE_FAULTS = [
  'no-liquidity',
  'revert-on-quote',
  'revert-on-swap',
  'move-on-swap',
  'burn-gas-on-quote',
  'nonsense-on-quote',
] as const
/** A move of 5 % each: together they stay far from the half that a swap's slippage allows. */
const MOVES_MAX = 5
const REORG_DEPTH_MAX = 15
/** One deeper than any way of counting asks for. */
const DEEP = 13

/**
 * Draws a script from the seed: first how much of each trouble it holds, then its steps. In its first phase quotes,
 * builds, transactions and reports meet faults and reorganisations, and no answer is foretold. In its second everything
 * is healed, what a reorganisation took is sent again and mined deep, and every honest report must be answered with 200.
 *
 * A script can always be run: each step names only what exists by then, as `ScriptModel` keeps track of it.
 */
export function drawScript(seed: number): RandomScript {
  const options = drawOptions(split(seed, 'script.options'))
  const drawing = new Drawing(options, split(seed, 'script.steps'))
  return { options, steps: drawing.script() }
}

function drawOptions(stream: Stream): ScriptOptions {
  return {
    steps: stream.int(20, 40),
    lineFault: stream.pick(WEIGHTS),
    storeFault: stream.pick(WEIGHTS),
    venueFault: stream.pick(WEIGHTS),
    movePool: stream.pick(WEIGHTS),
    reorg: stream.pick(WEIGHTS),
    restart: stream.pick(WEIGHTS),
    replace: stream.pick(WEIGHTS),
    race: stream.pick(WEIGHTS),
    dishonestBps: stream.pick(DISHONEST_BPS),
  }
}

interface Choice {
  readonly weight: number
  readonly possible: boolean
  readonly draw: () => void
}

class Drawing {
  readonly #options: ScriptOptions
  readonly #stream: Stream
  readonly #model = new ScriptModel()
  #moves = 0

  constructor(options: ScriptOptions, stream: Stream) {
    this.#options = options
    this.#stream = stream
  }

  script(): readonly StepInput[] {
    for (let drawn = 0; drawn < this.#options.steps; drawn += 1) this.#drawStep()
    this.#settle()
    return this.#model.steps
  }

  #drawStep(): void {
    const model = this.#model
    const { lineFault, storeFault, venueFault, movePool, reorg, restart, replace, race } = this.#options
    const troubled = model.disturbed || model.faultyVenues.size > 0
    // A fault that meets no report tells little.
    const reports = model.disturbed ? 8000 : 2500
    const choices: readonly Choice[] = [
      { weight: 600, possible: true, draw: () => this.#quote() },
      { weight: 1800, possible: model.builds.length < 12, draw: () => this.#build() },
      { weight: 2500, possible: model.sendable().length > 0, draw: () => this.#send() },
      { weight: 2000, possible: true, draw: () => this.#mine() },
      { weight: reports, possible: model.swaps().length > 0, draw: () => this.#confirm() },
      { weight: 400, possible: true, draw: () => this.#wait() },
      { weight: 1500, possible: model.lost().length > 0, draw: () => this.#resend() },
      { weight: 500, possible: troubled, draw: () => model.heal() },
      { weight: replace, possible: model.replaceable().length > 0, draw: () => this.#replace() },
      { weight: race, possible: model.swaps().length > 0 && !model.disturbed, draw: () => this.#race() },
      { weight: reorg, possible: model.reorgLimit() > 0, draw: () => this.#reorg() },
      { weight: restart / 2, possible: !model.disturbed, draw: () => model.add({ op: 'restart' }) },
      { weight: lineFault, possible: !model.disturbed, draw: () => this.#lineFault() },
      { weight: storeFault, possible: !model.disturbed, draw: () => this.#storeFault() },
      {
        weight: venueFault,
        possible: model.quiet() && model.faultyVenues.size < 2,
        draw: () => this.#fault(),
      },
      { weight: movePool, possible: this.#moves < MOVES_MAX, draw: () => this.#movePool() },
    ]
    const open = choices.filter(({ possible }) => possible)
    let left = this.#stream.int(
      1,
      open.reduce((sum, { weight }) => sum + weight, 0),
    )
    for (const { weight, draw } of open) {
      left -= weight
      if (left > 0) continue
      draw()
      return
    }
  }

  /** The second phase. */
  #settle(): void {
    const model = this.#model
    model.heal()
    // Whatever came before, one swap at least is honest.
    this.#buildEther('one')
    while (model.lost().length > 0) this.#resend()
    for (const build of model.sendable()) if (!build.sent) this.#sendHonestly(build)
    model.mine(DEEP)
    for (const { tx, build } of model.honest()) {
      model.add({ op: 'look', tx: tx.name, state: 'succeeded' })
      const report = { key: build.key, build: build.name, tx: tx.name }
      model.add({ op: 'confirm', ...report, expect: { status: 200, body: { recorded: true } } })
    }
  }

  #quote(): void {
    const [from, to] = this.#stream.pick([
      ['ETH', 'USDG'],
      ['USDG', 'ETH'],
      ['USDG', 'DUSD'],
      ['WBTC', 'USDG'],
    ] as const)
    const key = this.#stream.pick(['one', 'two', 'legacy'] as const)
    this.#model.add({ op: 'quote', key, query: { from, to, amount: this.#model.freshAmount(0.1) } })
  }

  #build(): void {
    const key = this.#stream.pick(['one', 'one', 'two'] as const)
    if (this.#stream.chanceBps(6000)) this.#buildEther(key)
    else this.#buildDollars(key)
  }

  #buildEther(key: string): void {
    const fee = { partnerFeeBps: 25, partnerFeeRecipient: ACCOUNTS.partnerOne.address }
    const body = {
      from: 'ETH',
      to: 'USDG',
      amount: this.#model.freshAmount(0.1),
      slippageBps: 5000,
      ...(this.#stream.chanceBps(3000) ? fee : {}),
    }
    this.#model.build({ key, account: this.#account(), body, approvals: [] })
  }

  #buildDollars(key: string): void {
    const healthy = (['venue_a', 'venue_b', 'venue_c', 'venue_d', 'venue_e', 'venue_f'] as const).filter(
      (venue) => !this.#model.faultyVenues.has(venue),
    )
    const preferEngine = this.#stream.pick(healthy)
    const permit = preferEngine === 'venue_b' || preferEngine === 'venue_e'
    const body = {
      from: 'USDG',
      to: 'DUSD',
      amount: this.#model.freshAmount(50),
      slippageBps: 5000,
      preferEngine,
    }
    const approvals = permit ? ['approval', 'permit'] : ['approval']
    this.#model.build({ key, account: this.#account(), body, approvals })
  }

  #account(): string {
    return this.#stream.pick(['alice', 'bob', 'carol'] as const)
  }

  #send(): void {
    const build = this.#stream.pick(this.#model.sendable())
    if (!this.#stream.chanceBps(this.#options.dishonestBps)) {
      this.#sendHonestly(build)
      return
    }
    const stranger = build.account === 'bob' ? 'carol' : 'bob'
    if (this.#model.isBlocked(stranger) || this.#stream.chanceBps(8000)) {
      this.#model.send(build, this.#stream.pick(CHANGES), build.account)
    } else this.#model.send(build, 'sender', stranger)
  }

  #sendHonestly(build: ScriptBuild): void {
    if (build.approvals.length > 0 && !build.approved) this.#model.approve(build)
    this.#model.send(build, 'none', build.account)
  }

  #mine(): void {
    this.#model.mine(this.#stream.pick([1, 1, 2, 5, 10, 11, 12, DEEP]))
  }

  #wait(): void {
    this.#model.add({ op: 'wait', seconds: this.#stream.int(1, 20_000) / 1000 })
  }

  #resend(): void {
    this.#model.resend(this.#stream.pick(this.#model.lost()))
  }

  #replace(): void {
    const old = this.#stream.pick(this.#model.replaceable())
    if (this.#stream.chanceBps(3000)) this.#model.cancel(old)
    else {
      const dishonest = this.#stream.chanceBps(this.#options.dishonestBps)
      this.#model.replace(old, dishonest ? this.#stream.pick(CHANGES) : 'none')
    }
  }

  #confirm(): void {
    this.#model.confirm(this.#report())
  }

  #race(): void {
    const first = this.#report()
    const others = Array.from({ length: this.#stream.int(1, 2) }, () =>
      this.#stream.chanceBps(5000) ? first : this.#report(),
    )
    this.#model.race([first, ...others])
  }

  #report(): { readonly key: string; readonly build: ScriptBuild; readonly tx: ScriptTransaction } {
    const tx = this.#stream.pick(this.#model.swaps())
    const own = tx.build as ScriptBuild
    if (!this.#stream.chanceBps(this.#options.dishonestBps)) return { key: own.key, build: own, tx }
    if (this.#stream.chanceBps(3000)) return { key: own.key === 'one' ? 'two' : 'one', build: own, tx }
    const build = this.#stream.pick(this.#model.builds)
    return { key: build.key, build, tx: this.#stream.pick(this.#model.transactions) }
  }

  #reorg(): void {
    const depth = this.#stream.int(1, Math.min(this.#model.reorgLimit(), REORG_DEPTH_MAX))
    const removed = this.#model.transactionsIn(depth)
    const kept = this.#stream.int(0, removed.length)
    this.#model.reorg(depth, depth + this.#stream.int(0, 2), kept, this.#stream.int(0, 2))
  }

  #lineFault(): void {
    const kind = this.#stream.pick(['down', 'answer-lost', 'rubbish'] as const)
    const [skip, trips] = [this.#stream.int(0, 2), this.#stream.int(1, 3)]
    this.#model.disturb({ op: 'line-fault', kind, skip, trips })
  }

  #storeFault(): void {
    const kind = this.#stream.pick(['down', 'answer-lost'] as const)
    const method = this.#stream.pick(STORE_METHODS)
    this.#model.disturb({ op: 'store-fault', kind, method, calls: this.#stream.int(1, 2) })
  }

  #fault(): void {
    const venue = this.#stream.pick([...POOLS, 'venue_d'] as const)
    const kind = this.#stream.pick(VENUE_FAULTS)
    const values = { 'move-on-swap': this.#stream.int(1, 3000), 'nonsense-on-quote': this.#stream.int(0, 3) }
    this.#model.fault({
      op: 'fault',
      venue,
      kind,
      value: kind in values ? values[kind as keyof typeof values] : 0,
    })
  }

  #movePool(): void {
    this.#moves += 1
    this.#model.movePool({
      op: 'move-pool',
      venue: this.#stream.pick(POOLS),
      from: 'ETH',
      to: 'USDG',
      against: this.#stream.pick(['seller', 'buyer'] as const),
      size: this.#stream.pick(['small', 'large'] as const),
    })
  }
}
