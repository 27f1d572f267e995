import { split } from '../seed.ts'
import type { StepInput } from '../steps/steps.ts'
import * as faults from './generateFaults.ts'
import * as trades from './generateTrades.ts'
import type { ScriptDraft } from './scriptDraft.ts'
import { ScriptModel } from './scriptModel.ts'
import { generateOptions, type ScriptChoices, type ScriptOptions } from './scriptOptions.ts'
import type { ScriptBuild } from './scriptParts.ts'

export type { ScriptOptions } from './scriptOptions.ts'

export interface RandomScript {
  readonly options: ScriptOptions
  readonly steps: readonly StepInput[]
}

const BUILDS_MAX = 12
const FAULTY_VENUES_MAX = 2
/** One block deeper than any way of counting confirmations needs. */
const DEEP = 13
/** Longer than any budget's window, even with a skewed clock. */
const BUDGET_S = 200

/**
 * Generates a script from the seed: first the frequency of each kind of fault, then its steps. In its first phase quotes,
 * builds, transactions and reports meet faults, crashes and reorganisations. In its second everything is healed, orphaned
 * transactions are sent again and mined deep, every swap is reported, and every key requests its partner report.
 *
 * A script can always be run: each step names only things that exist by then, as tracked by `ScriptModel`. It predicts no
 * response: the judges decide, from the state of the chain.
 */
export function generateScript(seed: number, choices: ScriptChoices = {}): RandomScript {
  const { onChain = false } = choices
  const options = generateOptions(seed, choices)
  const stream = split(seed, 'script.steps')
  const { steps } = writeScript({ model: new ScriptModel(), options, stream, onChain })
  return { options, steps }
}

function writeScript(draft: ScriptDraft): ScriptModel {
  for (let turn = 0; turn < draft.options.steps && !isFull(draft); turn += 1) addStep(draft)
  settle(draft)
  return draft.model
}

/**
 * Where the chain is shared, the script's blocks are reorganised away at the end, and a node limits their number; the second
 * phase adds some more.
 */
const BLOCKS_MAX_ON_CHAIN = 85

/** A possible next step: its weight, and whether it can come now. */
type Choice = readonly [weight: number, possible: boolean, add: (draft: ScriptDraft) => void]

function isFull({ model, onChain }: ScriptDraft): boolean {
  return onChain && model.ledger.chain.height > BLOCKS_MAX_ON_CHAIN
}

function addStep(draft: ScriptDraft): void {
  const open = choicesOf(draft).filter(([weight, possible]) => possible && weight > 0)
  let left = draft.stream.int(
    1,
    open.reduce((sum, [weight]) => sum + weight, 0),
  )
  for (const [weight, , add] of open) {
    left -= weight
    if (left > 0) continue
    add(draft)
    return
  }
}

function choicesOf(draft: ScriptDraft): readonly Choice[] {
  const { model, stream, options, onChain } = draft
  const { ledger, disturbed, faultyVenues } = model
  const calm = !disturbed
  const mayBuild = model.builds.length < BUILDS_MAX
  const anySwap = ledger.swaps().length > 0
  const anyRipe = ledger.ripe().length > 0
  // The clock of an external service does not follow the chain to the end of a window: only one jump is possible.
  const mayJump = faults.deadlinesAhead(draft).length > 0 && !(onChain && model.jumped)
  const mayFork = calm && !onChain && faults.forkable(draft).length > 0
  return [
    [800, true, trades.addQuote],
    [1800, mayBuild, trades.addBuild],
    [2500, calm && mayBuild, addSwap],
    [2500, model.sendable().length > 0, trades.addSend],
    [2000, true, () => model.mine(stream.pick([1, 1, 2, 5, 10, 11, 12, DEEP]))],
    // A fault that affects no report proves little.
    [disturbed ? 6000 : 2500, anySwap, () => model.confirm(trades.chooseReport(draft))],
    [400, !onChain, () => model.wait(stream.int(1, 20_000) / 1000)],
    [300, !onChain, faults.addPartnerReport],
    [1500, ledger.lost().length > 0, addResend],
    [disturbed ? 2500 : 500, disturbed || faultyVenues.size > 0, () => model.heal()],
    [options.replace, ledger.replaceable().length > 0, trades.addReplacement],
    [options.drop, ledger.droppable().length > 0, () => model.drop(stream.pick(ledger.droppable()))],
    [options.race, anySwap && calm, faults.addRace],
    [options.meanwhile, anyRipe && calm, faults.addMeanwhile],
    [options.crash, calm, faults.addCrash],
    [options.reorg, ledger.chain.reorgLimit > 0, faults.addReorg],
    [options.reorg, mayFork, faults.addFork],
    [options.restart / 2, calm, () => model.add({ op: 'restart' })],
    [options.lineFault, calm, faults.addLineFault],
    [options.storeFault, calm, faults.addStoreFault],
    [options.venueFault, faultyVenues.size < FAULTY_VENUES_MAX, faults.addVenueFault],
    [options.movePool, faults.canMovePool(draft), faults.addPoolMove],
    [options.window / 2, mayJump, faults.addDeadline],
    [options.skew, true, faults.addSkew],
    [options.keys / 2, calm, faults.addKeyRotation],
    [options.budget, calm, faults.addBudgetSpending],
  ]
}

/** Adds the second phase. */
function settle(draft: ScriptDraft): void {
  const { model, onChain } = draft
  model.heal()
  if (model.budgetSpent) model.wait(BUDGET_S)
  // At least one swap is honest.
  trades.addEtherBuild(draft, 'one', false)
  while (model.ledger.lost().length > 0) addResend(draft)
  for (const build of model.sendable()) if (!build.sent) trades.addHonestSend(draft, build)
  model.mine(DEEP)
  for (const tx of model.ledger.swaps()) {
    const build = tx.build as ScriptBuild
    model.confirm({ key: build.key, build, tx })
  }
  if (onChain) return
  for (const key of model.keys.keys()) model.add({ op: 'report', key })
}

/** Adds a regular swap, up to the mined transaction. */
function addSwap(draft: ScriptDraft): void {
  const { model, stream } = draft
  trades.addBuild(draft)
  const build = model.builds.at(-1)
  if (build === undefined || !model.sendable().includes(build)) return
  trades.addHonestSend(draft, build)
  model.mine(stream.pick([11, 12, DEEP]))
}

function addResend({ model, stream }: ScriptDraft): void {
  model.resend(stream.pick(model.ledger.lost()))
}
