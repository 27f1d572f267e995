import { ACCOUNTS } from '../fixtures/accounts.ts'
import type { VenueId } from '../spec/venues.ts'
import type { ScriptModel } from './scriptModel.ts'
import type { ScriptOptions } from './scriptOptions.ts'
import type { ScriptBuild } from './scriptParts.ts'
import type { Stream } from './seed.ts'
import type { Change } from './steps.ts'

const CHANGES: readonly Exclude<Change, 'none' | 'sender'>[] = [
  'minimum',
  'recipient',
  'value',
  'target',
  'batched',
]
const VENUES: readonly VenueId[] = ['venue_a', 'venue_b', 'venue_c', 'venue_d', 'venue_e', 'venue_f']
const WITH_PERMIT: readonly VenueId[] = ['venue_b', 'venue_e']
const WITH_FEE_TRANSFER: readonly VenueId[] = ['venue_c', 'venue_d']
const FEE = { partnerFeeBps: 25, partnerFeeRecipient: ACCOUNTS.partnerOne.address }
/** So far may a price move that no move of a script reaches it; and so little that any move does. */
const SLIPPAGE_BPS = { loose: 5000, tight: 1 } as const

/** Generates what users do: they quote, build, approve, send, replace and cancel. */
export class TradeGenerator {
  readonly #model: ScriptModel
  readonly #stream: Stream
  readonly #options: ScriptOptions

  constructor(model: ScriptModel, stream: Stream, options: ScriptOptions) {
    this.#model = model
    this.#stream = stream
    this.#options = options
  }

  /** A new quote, mostly with another right after it: the same, for another sender, or at another slippage. */
  quote(): void {
    const [from, to] = this.#stream.pick([
      ['ETH', 'USDG'],
      ['USDG', 'ETH'],
      ['USDG', 'DUSD'],
      ['WBTC', 'USDG'],
    ] as const)
    const key = this.#stream.pick(['one', 'legacy'] as const)
    const query = { from, to, amount: this.#model.freshAmount(0.1) }
    this.#model.add({ op: 'quote', key, query })
    if (this.#stream.chanceBps(2000)) return
    const change = this.#stream.pick([
      {},
      { sender: this.#sender() },
      { slippageBps: this.#stream.int(0, 5000) },
    ])
    this.#model.add({ op: 'quote', key, query: { ...query, ...change } })
  }

  build(): void {
    const key = this.#key()
    const makerTrades = !this.#model.faultyVenues.has('venue_f')
    const twin = makerTrades && this.#stream.chanceBps(2000) ? this.#twinless() : undefined
    if (twin !== undefined) this.#buildTwin(twin, key)
    else if (this.#stream.chanceBps(6000))
      this.buildEther(key, this.#stream.chanceBps(this.#options.tightBps))
    else this.#buildDollars(key)
    this.#letTheClocksMeet()
  }

  /** @param tight whether a moved price makes it revert. */
  buildEther(key: string, tight: boolean): void {
    const alone = !tight && !this.#model.faultyVenues.has('venue_f') && this.#stream.chanceBps(4000)
    const body = {
      from: 'ETH',
      to: 'USDG',
      amount: this.#model.freshAmount(0.1),
      slippageBps: tight ? SLIPPAGE_BPS.tight : SLIPPAGE_BPS.loose,
      ...(this.#stream.chanceBps(3000) ? FEE : {}),
      ...(alone ? { preferEngine: 'venue_f' } : {}),
    }
    this.#model.build({ key, account: this.#account(), body, approvals: [] })
  }

  send(): void {
    const build = this.#stream.pick(this.#model.sendable())
    if (!this.#stream.chanceBps(this.#options.dishonestBps)) {
      this.sendHonestly(build)
      return
    }
    // Whatever takes its place later may be honest, and then needs the approval.
    if (build.approvals.length > 0 && !build.approved) this.#model.approve(build)
    const stranger = build.account === 'bob' ? 'carol' : 'bob'
    if (this.#model.ledger.isBlocked(stranger) || this.#stream.chanceBps(8000)) {
      this.#model.send(build, this.#stream.pick(CHANGES), build.account)
    } else this.#model.send(build, 'sender', stranger)
  }

  sendHonestly(build: ScriptBuild): void {
    if (build.approvals.length > 0 && !build.approved) this.#model.approve(build)
    if (build.hasFeeTransfer && !build.sent && this.#stream.chanceBps(7000)) this.#model.payFee(build)
    this.#model.send(build, 'none', build.account)
  }

  replace(): void {
    const old = this.#stream.pick(this.#model.ledger.replaceable())
    const build = old.build as ScriptBuild
    // A user who replaces a transaction has mostly reported it before.
    if (this.#stream.chanceBps(5000)) this.#model.confirm({ key: build.key, build, tx: old })
    if (this.#stream.chanceBps(3000)) this.#model.cancel(old)
    else {
      const dishonest = this.#stream.chanceBps(this.#options.dishonestBps)
      this.#model.replace(old, dishonest ? this.#stream.pick(CHANGES) : 'none')
    }
  }

  #buildDollars(key: string): void {
    const healthy = VENUES.filter((venue) => !this.#model.faultyVenues.has(venue))
    const preferEngine = this.#stream.pick(healthy)
    const withFee = this.#stream.chanceBps(5000)
    const body = {
      from: 'USDG',
      to: 'DUSD',
      amount: this.#model.freshAmount(50),
      slippageBps: SLIPPAGE_BPS.loose,
      preferEngine,
      ...(withFee ? FEE : {}),
    }
    const approvals = WITH_PERMIT.includes(preferEngine) ? ['approval', 'permit'] : ['approval']
    const hasFeeTransfer = withFee && WITH_FEE_TRANSFER.includes(preferEngine)
    this.#model.build({ key, account: this.#account(), body, approvals, hasFeeTransfer })
  }

  /** The same request again: where the price stands still, one transaction executes both builds. */
  #buildTwin(twin: ScriptBuild, key: string): void {
    this.#model.build({ key, account: twin.account, body: twin.body, approvals: [], twin })
  }

  #twinless(): ScriptBuild | undefined {
    return this.#model.builds.findLast(
      ({ twin, body }) => twin === null && body.preferEngine === 'venue_f' && body.from === 'ETH',
    )
  }

  /** A user in a hurry sends what, by the clock of the service, executes before it was built. */
  #letTheClocksMeet(): void {
    const { aheadS } = this.#model
    if (aheadS > 0 && this.#stream.chanceBps(5000)) this.#model.wait(Math.ceil(aheadS) + 2)
  }

  #sender(): string {
    return ACCOUNTS[this.#stream.pick(['alice', 'bob', 'carol'] as const)].address
  }

  #key(): string {
    return this.#stream.pick(['one', ...this.#model.keys.keys()])
  }

  #account(): string {
    return this.#stream.pick(['alice', 'bob', 'carol'] as const)
  }
}
