import { TradeDraws } from './drawTrades.ts'
import { TroubleDraws } from './drawTroubles.ts'
import { ScriptModel } from './scriptModel.ts'
import { drawOptions, type ScriptOptions } from './scriptOptions.ts'
import type { ScriptBuild, ScriptReport, ScriptTransaction } from './scriptParts.ts'
import { type Stream, split } from './seed.ts'
import type { StepInput } from './steps.ts'

export type { ScriptOptions } from './scriptOptions.ts'

export interface RandomScript {
  readonly options: ScriptOptions
  readonly steps: readonly StepInput[]
}

const BUILDS_MAX = 12
const FAULTY_VENUES_MAX = 2
/** One deeper than any way of counting asks for. */
const DEEP = 13
/** Longer than the window of any budget, whatever the clocks said when it was spent. */
const BUDGET_S = 200

/**
 * Draws a script from the seed: first how much of each trouble it holds, then its steps. In its first phase quotes,
 * builds, transactions and reports meet faults, crashes and reorganisations, and no answer is foretold. In its second
 * everything is healed, what a reorganisation took is sent again and mined deep, and every honest report must be answered
 * with 200.
 *
 * A script can always be run: each step names only what exists by then, as `ScriptModel` keeps track of it.
 *
 * @param onChain Nothing happens inside the service or on its line, so that any service can be taken through it.
 */
export function drawScript(seed: number, onChain = false): RandomScript {
  const options = drawOptions(seed, onChain)
  return { options, steps: new Drawing(options, split(seed, 'script.steps'), onChain).script() }
}

/**
 * Where the chain is not the script's own, its blocks are reorganised away at the end, which a node allows for so many;
 * what follows the last draw makes some more.
 */
const BLOCKS_MAX_ON_CHAIN = 85

interface Choice {
  readonly weight: number
  readonly possible: boolean
  readonly draw: () => void
}

class Drawing {
  readonly #options: ScriptOptions
  readonly #stream: Stream
  readonly #onChain: boolean
  readonly #model = new ScriptModel()
  readonly #trades: TradeDraws
  readonly #troubles: TroubleDraws
  #jumped = false

  constructor(options: ScriptOptions, stream: Stream, onChain: boolean) {
    this.#options = options
    this.#stream = stream
    this.#onChain = onChain
    this.#trades = new TradeDraws(this.#model, stream, options)
    this.#troubles = new TroubleDraws(this.#model, stream, onChain, (tx) => this.#report(tx))
  }

  script(): readonly StepInput[] {
    for (let drawn = 0; drawn < this.#options.steps && !this.#isFull(); drawn += 1) this.#drawStep()
    this.#settle()
    return this.#model.steps
  }

  #isFull(): boolean {
    return this.#onChain && this.#model.ledger.chain.height > BLOCKS_MAX_ON_CHAIN
  }

  #drawStep(): void {
    const open = this.#choices().filter(({ possible, weight }) => possible && weight > 0)
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

  #choices(): readonly Choice[] {
    const model = this.#model
    const { ledger, disturbed } = model
    const [trades, troubles, options] = [this.#trades, this.#troubles, this.#options]
    const swaps = ledger.swaps().length > 0
    const calm = !disturbed
    const reorganisable = ledger.chain.reorgLimit > 0
    const troubled = disturbed || model.faultyVenues.size > 0
    return [
      { weight: 600, possible: true, draw: () => trades.quote() },
      { weight: 1800, possible: model.builds.length < BUILDS_MAX, draw: () => trades.build() },
      { weight: 2500, possible: calm && model.builds.length < BUILDS_MAX, draw: () => this.#swap() },
      { weight: 2500, possible: model.sendable().length > 0, draw: () => trades.send() },
      { weight: 2000, possible: true, draw: () => this.#mine() },
      // A fault that meets no report tells little.
      { weight: disturbed ? 6000 : 2500, possible: swaps, draw: () => model.confirm(this.#report()) },
      { weight: 400, possible: !this.#onChain, draw: () => model.wait(this.#stream.int(1, 20_000) / 1000) },
      { weight: 300, possible: !this.#onChain, draw: () => troubles.partnerReport() },
      { weight: 1500, possible: ledger.lost().length > 0, draw: () => this.#resend() },
      { weight: disturbed ? 2500 : 500, possible: troubled, draw: () => model.heal() },
      { weight: options.replace, possible: ledger.replaceable().length > 0, draw: () => trades.replace() },
      { weight: options.drop, possible: ledger.droppable().length > 0, draw: () => this.#drop() },
      { weight: options.race, possible: swaps && calm, draw: () => troubles.race() },
      {
        weight: options.meanwhile,
        possible: ledger.ripe().length > 0 && calm,
        draw: () => troubles.meanwhile(),
      },
      { weight: options.crash, possible: calm, draw: () => troubles.crash() },
      { weight: options.reorg, possible: reorganisable, draw: () => troubles.reorg() },
      {
        weight: options.reorg,
        possible: calm && !this.#onChain && troubles.forkable().length > 0,
        draw: () => troubles.fork(),
      },
      { weight: options.restart / 2, possible: calm, draw: () => model.add({ op: 'restart' }) },
      { weight: options.lineFault, possible: calm, draw: () => troubles.lineFault() },
      { weight: options.storeFault, possible: calm, draw: () => troubles.storeFault() },
      {
        weight: options.venueFault,
        possible: ledger.quiet() && model.faultyVenues.size < FAULTY_VENUES_MAX,
        draw: () => troubles.venueFault(),
      },
      { weight: options.movePool, possible: troubles.canMovePool, draw: () => troubles.movePool() },
      {
        weight: options.window / 2,
        // The clock of a service elsewhere does not follow the chain to the end of a window: one jump there is all.
        possible: troubles.deadlinesAhead().length > 0 && !(this.#onChain && this.#jumped),
        draw: () => {
          this.#jumped = true
          troubles.deadline()
        },
      },
      { weight: options.skew, possible: true, draw: () => troubles.skew() },
      { weight: options.keys / 2, possible: calm, draw: () => troubles.rotateKey() },
      { weight: options.budget, possible: calm, draw: () => troubles.spendBudget() },
    ]
  }

  /** The second phase. */
  #settle(): void {
    const model = this.#model
    model.heal()
    if (model.budgetSpent) model.wait(BUDGET_S)
    // Whatever came before, one swap at least is honest.
    this.#trades.buildEther('one', false)
    while (model.ledger.lost().length > 0) this.#resend()
    for (const build of model.sendable()) if (!build.sent) this.#trades.sendHonestly(build)
    model.mine(DEEP)
    const honest = model.honest()
    for (const { key, build, tx } of honest) {
      model.add({ op: 'look', tx: tx.name, state: 'succeeded' })
      const report = { key, build: build.name, tx: tx.name }
      model.add({ op: 'confirm', ...report, expect: { status: 200, body: { recorded: true } } })
    }
    // Of the others the chain alone knows what they are due.
    for (const tx of model.ledger.swaps()) {
      if (honest.some((report) => report.tx === tx)) continue
      const build = tx.build as ScriptBuild
      model.confirm({ key: build.key, build, tx })
    }
    if (this.#onChain) return
    for (const key of model.keys.keys()) model.add({ op: 'report', key, expect: { status: 200 } })
  }

  /** A swap as it should go, up to its report. */
  #swap(): void {
    this.#trades.build()
    const build = this.#model.builds.at(-1)
    if (build === undefined || !this.#model.sendable().includes(build)) return
    this.#trades.sendHonestly(build)
    this.#model.mine(this.#stream.pick([11, 12, DEEP]))
  }

  #mine(): void {
    this.#model.mine(this.#stream.pick([1, 1, 2, 5, 10, 11, 12, DEEP]))
  }

  #resend(): void {
    this.#model.resend(this.#stream.pick(this.#model.ledger.lost()))
  }

  #drop(): void {
    this.#model.drop(this.#stream.pick(this.#model.ledger.droppable()))
  }

  #report(wanted?: ScriptTransaction): ScriptReport {
    const tx = wanted ?? this.#swapToReport()
    const carriedOut = tx.build as ScriptBuild
    const { twin } = carriedOut
    // What executes two builds is reported for either.
    const own = twin !== null && this.#stream.chanceBps(4000) ? twin : carriedOut
    if (!this.#stream.chanceBps(this.#options.dishonestBps)) return { key: own.key, build: own, tx }
    if (this.#stream.chanceBps(3000)) return { key: this.#anotherKey(own.key), build: own, tx }
    const build = this.#stream.pick(this.#model.builds)
    return { key: build.key, build, tx: this.#stream.pick(this.#model.ledger.transactions) }
  }

  /** What may be credited, what lies on another branch and what was replaced, more often than any. */
  #swapToReport(): ScriptTransaction {
    const { ledger } = this.#model
    const swaps = ledger.swaps()
    const groups = [ledger.ripe(), ledger.abandoned(), swaps.filter(({ state }) => state === 'gone'), swaps]
    const group = groups[this.#stream.pick([0, 0, 1, 2, 3, 3])] ?? []
    return this.#stream.pick(group.length > 0 ? group : swaps)
  }

  #anotherKey(key: string): string {
    const others = [...this.#model.keys.keys(), 'legacy'].filter((each) => each !== key)
    return this.#stream.pick(others)
  }
}
