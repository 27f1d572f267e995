import { FaultGenerator } from './generateFaults.ts'
import { TradeGenerator } from './generateTrades.ts'
import { ScriptModel } from './scriptModel.ts'
import { generateOptions, type ScriptOptions } from './scriptOptions.ts'
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
 * Generates a script from the seed: first how many faults of each kind it holds, then its steps. In its first phase
 * quotes, builds, transactions and reports meet faults, crashes and reorganisations. In its second everything is healed,
 * orphaned transactions are sent again and mined deep, every swap is reported, and every key asks for its figures.
 *
 * A script can always be run: each step names only what exists by then, as `ScriptModel` keeps track of it. It predicts
 * no answer: the judges decide, from what the chain was.
 *
 * @param onChain Nothing happens inside the service or on its line, so that it runs against any service.
 */
export function generateScript(seed: number, onChain = false): RandomScript {
  const options = generateOptions(seed, onChain)
  return { options, steps: new Generator(options, split(seed, 'script.steps'), onChain).script() }
}

/**
 * Where the chain is not the script's own, its blocks are reorganised away at the end, and a node allows only so many;
 * the second phase makes some more.
 */
const BLOCKS_MAX_ON_CHAIN = 85

interface Choice {
  readonly weight: number
  readonly possible: boolean
  readonly add: () => void
}

class Generator {
  readonly #options: ScriptOptions
  readonly #stream: Stream
  readonly #onChain: boolean
  readonly #model = new ScriptModel()
  readonly #trades: TradeGenerator
  readonly #faults: FaultGenerator
  #jumped = false

  constructor(options: ScriptOptions, stream: Stream, onChain: boolean) {
    this.#options = options
    this.#stream = stream
    this.#onChain = onChain
    this.#trades = new TradeGenerator(this.#model, stream, options)
    this.#faults = new FaultGenerator(this.#model, stream, options, onChain, (tx) => this.#report(tx))
  }

  script(): readonly StepInput[] {
    for (let turn = 0; turn < this.#options.steps && !this.#isFull(); turn += 1) this.#addStep()
    this.#settle()
    return this.#model.steps
  }

  #isFull(): boolean {
    return this.#onChain && this.#model.ledger.chain.height > BLOCKS_MAX_ON_CHAIN
  }

  #addStep(): void {
    const open = this.#choices().filter(({ possible, weight }) => possible && weight > 0)
    let left = this.#stream.int(
      1,
      open.reduce((sum, { weight }) => sum + weight, 0),
    )
    for (const { weight, add } of open) {
      left -= weight
      if (left > 0) continue
      add()
      return
    }
  }

  #choices(): readonly Choice[] {
    const model = this.#model
    const { ledger, disturbed } = model
    const [trades, faults, options] = [this.#trades, this.#faults, this.#options]
    const swaps = ledger.swaps().length > 0
    const calm = !disturbed
    const reorganisable = ledger.chain.reorgLimit > 0
    const faulty = disturbed || model.faultyVenues.size > 0
    return [
      { weight: 800, possible: true, add: () => trades.quote() },
      { weight: 1800, possible: model.builds.length < BUILDS_MAX, add: () => trades.build() },
      { weight: 2500, possible: calm && model.builds.length < BUILDS_MAX, add: () => this.#swap() },
      { weight: 2500, possible: model.sendable().length > 0, add: () => trades.send() },
      { weight: 2000, possible: true, add: () => this.#mine() },
      // A fault that meets no report shows little.
      { weight: disturbed ? 6000 : 2500, possible: swaps, add: () => model.confirm(this.#report()) },
      { weight: 400, possible: !this.#onChain, add: () => model.wait(this.#stream.int(1, 20_000) / 1000) },
      { weight: 300, possible: !this.#onChain, add: () => faults.partnerReport() },
      { weight: 1500, possible: ledger.lost().length > 0, add: () => this.#resend() },
      { weight: disturbed ? 2500 : 500, possible: faulty, add: () => model.heal() },
      { weight: options.replace, possible: ledger.replaceable().length > 0, add: () => trades.replace() },
      { weight: options.drop, possible: ledger.droppable().length > 0, add: () => this.#drop() },
      { weight: options.race, possible: swaps && calm, add: () => faults.race() },
      {
        weight: options.meanwhile,
        possible: ledger.ripe().length > 0 && calm,
        add: () => faults.meanwhile(),
      },
      { weight: options.crash, possible: calm, add: () => faults.crash() },
      { weight: options.reorg, possible: reorganisable, add: () => faults.reorg() },
      {
        weight: options.reorg,
        possible: calm && !this.#onChain && faults.forkable().length > 0,
        add: () => faults.fork(),
      },
      { weight: options.restart / 2, possible: calm, add: () => model.add({ op: 'restart' }) },
      { weight: options.lineFault, possible: calm, add: () => faults.lineFault() },
      { weight: options.storeFault, possible: calm, add: () => faults.storeFault() },
      {
        weight: options.venueFault,
        possible: model.faultyVenues.size < FAULTY_VENUES_MAX,
        add: () => faults.venueFault(),
      },
      { weight: options.movePool, possible: faults.canMovePool, add: () => faults.movePool() },
      {
        weight: options.window / 2,
        // The clock of a service elsewhere does not follow the chain to the end of a window: one jump there is all.
        possible: faults.deadlinesAhead().length > 0 && !(this.#onChain && this.#jumped),
        add: () => {
          this.#jumped = true
          faults.deadline()
        },
      },
      { weight: options.skew, possible: true, add: () => faults.skew() },
      { weight: options.keys / 2, possible: calm, add: () => faults.rotateKey() },
      { weight: options.budget, possible: calm, add: () => faults.spendBudget() },
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
    for (const tx of model.ledger.swaps()) {
      const build = tx.build as ScriptBuild
      model.confirm({ key: build.key, build, tx })
    }
    if (this.#onChain) return
    for (const key of model.keys.keys()) model.add({ op: 'report', key })
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
