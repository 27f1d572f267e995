import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { VENUE_IDS, type VenueId } from '../../spec/venues.ts'
import type { Change } from '../steps/steps.ts'
import type { ScriptDraft } from './scriptDraft.ts'
import type { ScriptBuild, ScriptReport, ScriptTransaction } from './scriptParts.ts'

const CHANGES: readonly Exclude<Change, 'none' | 'sender'>[] = [
  'minimum',
  'recipient',
  'value',
  'target',
  'batched',
]
const WITH_PERMIT: readonly VenueId[] = ['venue_b', 'venue_e']
const WITH_FEE_TRANSFER: readonly VenueId[] = ['venue_c', 'venue_d']
const FEE = { partnerFeeBps: 25, partnerFeeRecipient: ACCOUNTS.partnerOne.address }
/** Slippage that no price move of a script exceeds (loose), and that any price move exceeds (tight). */
const SLIPPAGE_BPS = { loose: 5000, tight: 1 } as const

/** Adds a new quote, mostly followed by a similar one: the same, for another sender, or at another slippage. */
export function addQuote(draft: ScriptDraft): void {
  const { model, stream } = draft
  const [from, to] = stream.pick([
    ['ETH', 'USDG'],
    ['USDG', 'ETH'],
    ['USDG', 'DUSD'],
    ['WBTC', 'USDG'],
  ] as const)
  const key = stream.pick(['one', 'legacy'] as const)
  const query = { from, to, amount: model.freshAmount(0.1) }
  model.add({ op: 'quote', key, query })
  if (stream.chanceBps(2000)) return
  const change = stream.pick([{}, { sender: anySender(draft) }, { slippageBps: stream.int(0, 5000) }])
  model.add({ op: 'quote', key, query: { ...query, ...change } })
}

export function addBuild(draft: ScriptDraft): void {
  const { model, stream, options } = draft
  const key = anyKey(draft)
  const makerTrades = !model.faultyVenues.has('venue_f')
  const twin = makerTrades && stream.chanceBps(2000) ? twinless(draft) : undefined
  if (twin !== undefined) addTwinBuild(draft, twin, key)
  else if (stream.chanceBps(6000)) addEtherBuild(draft, key, stream.chanceBps(options.tightBps))
  else addDollarBuild(draft, key)
  waitForClock(draft)
}

/** @param tight true if a price move makes it revert. */
export function addEtherBuild(draft: ScriptDraft, key: string, tight: boolean): void {
  const { model, stream } = draft
  const alone = !tight && !model.faultyVenues.has('venue_f') && stream.chanceBps(4000)
  const body = {
    from: 'ETH',
    to: 'USDG',
    amount: model.freshAmount(0.1),
    slippageBps: tight ? SLIPPAGE_BPS.tight : SLIPPAGE_BPS.loose,
    ...(stream.chanceBps(3000) ? FEE : {}),
    ...(alone ? { preferEngine: 'venue_f' } : {}),
  }
  model.build({ key, account: anyAccount(draft), body, approvals: [] })
}

export function addSend(draft: ScriptDraft): void {
  const { model, stream, options } = draft
  const build = stream.pick(model.sendable())
  if (!stream.chanceBps(options.dishonestBps)) {
    addHonestSend(draft, build)
    return
  }
  // A later replacement may be honest, and then needs the approval.
  if (build.approvals.length > 0 && !build.approved) model.approve(build)
  const stranger = build.account === 'bob' ? 'carol' : 'bob'
  if (model.ledger.isBlocked(stranger) || stream.chanceBps(8000)) {
    model.send(build, stream.pick(CHANGES), build.account)
  } else model.send(build, 'sender', stranger)
}

export function addHonestSend({ model, stream }: ScriptDraft, build: ScriptBuild): void {
  if (build.approvals.length > 0 && !build.approved) model.approve(build)
  if (build.hasFeeTransfer && !build.sent && stream.chanceBps(7000)) model.payFee(build)
  model.send(build, 'none', build.account)
}

export function addReplacement({ model, stream, options }: ScriptDraft): void {
  const old = stream.pick(model.ledger.replaceable())
  const build = old.build as ScriptBuild
  // A user who replaces a transaction has mostly reported it before.
  if (stream.chanceBps(5000)) model.confirm({ key: build.key, build, tx: old })
  if (stream.chanceBps(3000)) model.cancel(old)
  else {
    const dishonest = stream.chanceBps(options.dishonestBps)
    model.replace(old, dishonest ? stream.pick(CHANGES) : 'none')
  }
}

function addDollarBuild(draft: ScriptDraft, key: string): void {
  const { model, stream } = draft
  const healthy = VENUE_IDS.filter((venue) => !model.faultyVenues.has(venue))
  const preferEngine = stream.pick(healthy)
  const withFee = stream.chanceBps(5000)
  const body = {
    from: 'USDG',
    to: 'DUSD',
    amount: model.freshAmount(50),
    slippageBps: SLIPPAGE_BPS.loose,
    preferEngine,
    ...(withFee ? FEE : {}),
  }
  const approvals = WITH_PERMIT.includes(preferEngine) ? ['approval', 'permit'] : ['approval']
  const hasFeeTransfer = withFee && WITH_FEE_TRANSFER.includes(preferEngine)
  model.build({ key, account: anyAccount(draft), body, approvals, hasFeeTransfer })
}

/** The same request again: if the price has not moved, one transaction executes both builds. */
function addTwinBuild({ model }: ScriptDraft, twin: ScriptBuild, key: string): void {
  model.build({ key, account: twin.account, body: twin.body, approvals: [], twin })
}

function twinless({ model }: ScriptDraft): ScriptBuild | undefined {
  return model.builds.findLast(
    ({ twin, body }) => twin === null && body.preferEngine === 'venue_f' && body.from === 'ETH',
  )
}

/** A user in a hurry sends a transaction that, by the service's clock, executes before it was built. */
function waitForClock({ model, stream }: ScriptDraft): void {
  const { aheadS } = model
  if (aheadS > 0 && stream.chanceBps(5000)) model.wait(Math.ceil(aheadS) + 2)
}

function anySender({ stream }: ScriptDraft): string {
  return ACCOUNTS[stream.pick(['alice', 'bob', 'carol'] as const)].address
}

function anyKey({ model, stream }: ScriptDraft): string {
  return stream.pick(['one', ...model.keys.keys()])
}

function anyAccount({ stream }: ScriptDraft): string {
  return stream.pick(['alice', 'bob', 'carol'] as const)
}

/** Chooses mostly a swap under the key of its build; where users are dishonest, build, key or transaction may be another's. */
export function chooseReport(draft: ScriptDraft, wanted?: ScriptTransaction): ScriptReport {
  const { model, stream, options } = draft
  const tx = wanted ?? swapToReport(draft)
  const carriedOut = tx.build as ScriptBuild
  const { twin } = carriedOut
  // A transaction that executes two builds is reported for either.
  const own = twin !== null && stream.chanceBps(4000) ? twin : carriedOut
  if (!stream.chanceBps(options.dishonestBps)) return { key: own.key, build: own, tx }
  if (stream.chanceBps(3000)) return { key: anotherKey(draft, own.key), build: own, tx }
  const build = stream.pick(model.builds)
  return { key: build.key, build, tx: stream.pick(model.ledger.transactions) }
}

/** Chooses a swap to report: mostly one that may be credited, is on another branch or was replaced. */
function swapToReport({ model, stream }: ScriptDraft): ScriptTransaction {
  const { ledger } = model
  const swaps = ledger.swaps()
  const groups = [ledger.ripe(), ledger.abandoned(), swaps.filter(({ state }) => state === 'gone'), swaps]
  const group = groups[stream.pick([0, 0, 1, 2, 3, 3])] ?? []
  return stream.pick(group.length > 0 ? group : swaps)
}

function anotherKey({ model, stream }: ScriptDraft, key: string): string {
  const others = [...model.keys.keys(), 'legacy'].filter((each) => each !== key)
  return stream.pick(others)
}
