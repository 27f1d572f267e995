import { VENUE_IDS } from '../../spec/venues.ts'
import { VENUE_FAULT_KINDS } from '../../venues-mock/faults.ts'
import { chooseReport } from './generateTrades.ts'
import type { ScriptDraft } from './scriptDraft.ts'
import type { ScriptBuild, ScriptReport, ScriptTransaction } from './scriptParts.ts'

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
/** Values around the timeouts of a quote (4 s) and of a round trip of build and confirm (5 s). */
const DELAYS_MS = [1, 500, 3_999, 4_000, 4_999, 5_000, 30_000] as const
const SKEWS_MS = [-90_000, -10_000, -1_500, -250, 250, 1_500, 10_000, 90_000] as const
const REORG_DEPTH_MAX = 15
/** No request of the reference makes more calls to its ports, unless the fan-out of a quote fails. */
const CRASH_CALLS_MAX = 9
/** Index of the last of a report's three round trips. */
const LAST_TRIP = 2
/** Each moves the price by up to 5 %: together they stay well within the half that a loose swap's slippage allows. */
const MOVES_MAX = 5

export function canMovePool({ model }: ScriptDraft): boolean {
  return model.poolMoves < MOVES_MAX
}

/** Adds a fault of the line, and a report that meets it. */
export function addLineFault(draft: ScriptDraft): void {
  const { model, stream } = draft
  const kinds = LINE_FAULTS.filter((each) => each !== 'abandoned' || model.forked)
  disturbLine(draft, stream.pick(kinds))
  if (model.ledger.swaps().length > 0) model.confirm(chooseReport(draft))
}

/** Moves a creditable transaction off the canonical chain, while one node stays on the old branch. */
export function addFork(draft: ScriptDraft): void {
  const { model, stream } = draft
  const tx = stream.pick(forkable(draft))
  reorgAway(draft, tx)
  disturbLine(draft, 'abandoned')
  model.confirm(chooseReport(draft, tx))
}

/** Returns the creditable transactions that a reorganisation can still reach. */
export function forkable(draft: ScriptDraft): readonly ScriptTransaction[] {
  const { ledger } = draft.model
  return ledger.ripe().filter((tx) => ledger.chain.depthOf(tx) <= depthMax(draft))
}

export function addStoreFault({ model, stream }: ScriptDraft): void {
  const kind = stream.pick(['down', 'answer-lost'] as const)
  const method = stream.pick(STORE_METHODS)
  model.disturb({ op: 'store-fault', kind, method, calls: stream.int(1, 2) })
}

export function addVenueFault({ model, stream }: ScriptDraft): void {
  const venue = stream.pick(VENUE_IDS)
  const kind = stream.pick(VENUE_FAULTS)
  const values = { 'move-on-swap': stream.int(1, 3000), 'nonsense-on-quote': stream.int(0, 3) }
  model.fault({
    op: 'fault',
    venue,
    kind,
    value: kind in values ? values[kind as keyof typeof values] : 0,
  })
}

export function addPoolMove({ model, stream }: ScriptDraft): void {
  model.poolMoves += 1
  model.movePool({
    op: 'move-pool',
    venue: stream.pick(['venue_a', 'venue_b', 'venue_c', 'venue_e', 'venue_f'] as const),
    from: 'ETH',
    to: 'USDG',
    against: stream.pick(['seller', 'buyer'] as const),
    size: stream.pick(['small', 'large'] as const),
  })
}

export function addReorg(draft: ScriptDraft): void {
  const { model, stream, onChain } = draft
  const depth = stream.int(1, depthMax(draft))
  if (!onChain && stream.chanceBps(2500)) model.rollback(depth)
  else replaceBranch(draft, depth)
}

/** Crashes the service during a request and restarts it. */
export function addCrash(draft: ScriptDraft): void {
  const { model, stream } = draft
  const call = stream.int(0, CRASH_CALLS_MAX)
  model.add({ op: 'crash-at', call, when: stream.pick(['before', 'after'] as const) })
  const ripe = model.ledger.ripe()
  if (model.ledger.swaps().length === 0 || stream.chanceBps(2000)) {
    const body = { from: 'ETH', to: 'USDG', amount: model.freshAmount(0.1) }
    model.doomedBuild('one', 'alice', body)
    return
  }
  const report = chooseReport(draft, ripe.length > 0 ? stream.pick(ripe) : undefined)
  model.confirm(report)
  // A client without a response reports again.
  if (stream.chanceBps(8000)) model.confirm(report)
}

/** Changes the chain or the keys, or sends another report, between the round trips of a creditable report. */
export function addMeanwhile(draft: ScriptDraft): void {
  const { model, stream } = draft
  const report = chooseReport(draft, stream.pick(model.ledger.ripe()))
  model.ledger.noteReported(report)
  const first = stream.pick([0, 1, 1, LAST_TRIP, LAST_TRIP])
  addWithin(draft, first, report)
  if (first < LAST_TRIP && stream.chanceBps(3000)) addWithin(draft, first + 1, report)
  model.confirm(report)
}

/** Adds several concurrent reports: the same, rivals for one build or for one transaction, or any. */
export function addRace(draft: ScriptDraft): void {
  const { model, stream, onChain } = draft
  const first = chooseReport(draft)
  const others = Array.from({ length: stream.int(1, 2) }, () => rivalOf(draft, first))
  const order =
    !onChain && stream.chanceBps(7000)
      ? Array.from({ length: stream.int(4, 24) }, () => stream.int(0, 5))
      : []
  model.race([first, ...others], order)
}

/** Adds a block at the end of a build's window, and then enough on top of it. */
export function addDeadline(draft: ScriptDraft): void {
  const { model, stream } = draft
  model.jumped = true
  model.mineAtDeadline(stream.pick(deadlinesAhead(draft)), stream.int(-1, 1))
  model.mine(stream.pick([11, 12, 13]))
}

/** Returns builds whose window ends in the future even after every possible delay. */
export function deadlinesAhead({ model }: ScriptDraft): readonly ScriptBuild[] {
  return model.builds.filter((build) => model.canMineAtDeadline(build, -1))
}

export function addSkew({ model, stream }: ScriptDraft): void {
  model.skew(stream.pick(SKEWS_MS))
}

/** Rotates the key of a partner: issues a new one, then mostly revokes the old one. */
export function addKeyRotation({ model, stream }: ScriptDraft): void {
  const [old, partner] = stream.pick([...model.keys])
  model.issueKey(partner)
  if (old !== 'one' && stream.chanceBps(6000)) model.revokeKey(old)
}

export function addBudgetSpending({ model, stream }: ScriptDraft): void {
  model.spendBudget(stream.pick([...model.keys.keys()]))
}

export function addPartnerReport({ model, stream }: ScriptDraft): void {
  model.add({ op: 'report', key: stream.pick([...model.keys.keys()]) })
}

function disturbLine({ model, stream }: ScriptDraft, kind: (typeof LINE_FAULTS)[number]): void {
  // Often all round trips of a report, or only its first: then only the later ones can reveal the fault.
  const [skip, trips] = stream.pick([
    [0, LAST_TRIP + 1],
    [0, 1],
    [stream.int(0, LAST_TRIP), stream.int(1, LAST_TRIP + 1)],
  ] as const)
  model.disturb({
    op: 'line-fault',
    kind,
    skip,
    trips,
    ...(kind === 'delay' ? { delayMs: stream.pick(DELAYS_MS) } : {}),
    ...(kind === 'lag' ? { lagBlocks: stream.int(1, 13) } : {}),
  })
}

function addWithin(draft: ScriptDraft, trip: number, report: ScriptReport): void {
  const { model, stream, options } = draft
  model.within(trip, stream.pick(['before', 'after'] as const), () => {
    const what = stream.int(1, 10)
    if (what <= 5 && model.ledger.chain.reorgLimit > 0) reorgAway(draft, report.tx)
    else if (what === 6) model.mine(stream.int(1, 3))
    else if (what === 7 && report.key !== 'one' && model.keys.has(report.key)) model.revokeKey(report.key)
    else if (what === 8 && options.skew > 0) addSkew(draft)
    else model.confirm(rivalOf(draft, report))
    const [lost] = model.ledger.lost()
    if (lost === undefined || stream.chanceBps(5000)) return
    model.resend(lost)
    if (stream.chanceBps(5000)) model.mine(1)
  })
}

/** Reorganises deep enough to remove the transaction, where possible. */
function reorgAway(draft: ScriptDraft, tx: ScriptTransaction): void {
  const { model, stream } = draft
  const deepest = depthMax(draft)
  const depth = Math.max(1, Math.min(model.ledger.chain.depthOf(tx), deepest))
  if (stream.chanceBps(2500)) model.rollback(stream.int(depth, deepest))
  else replaceBranch(draft, stream.int(depth, deepest))
}

function replaceBranch({ model, stream }: ScriptDraft, depth: number): void {
  const removed = model.ledger.chain.last(depth).flat().length
  const kept = stream.int(0, removed)
  model.reorg(depth, depth + stream.int(0, 2), kept, stream.int(0, 2))
}

function rivalOf(draft: ScriptDraft, report: ScriptReport): ScriptReport {
  const { model, stream } = draft
  const { build, tx } = report
  const { twin } = build
  const others = model.ledger
    .swaps()
    .filter((each) => each !== tx && each.build === build && each.change === 'none')
  const rivals: readonly ScriptReport[] = [
    ...others.map((other) => ({ ...report, tx: other })),
    ...(twin === null ? [] : [{ key: twin.key, build: twin, tx }]),
  ]
  if (rivals.length > 0 && stream.chanceBps(7000)) return stream.pick(rivals)
  return stream.chanceBps(6000) ? report : chooseReport(draft)
}

function depthMax({ model }: ScriptDraft): number {
  return Math.min(model.ledger.chain.reorgLimit, REORG_DEPTH_MAX)
}
