import type { Hex } from 'viem'
import type { Manifest } from '../spec/manifest.ts'
import { encodeSetFault, NONSENSE_ANSWERS, type VenueFault } from '../venues-mock/faults.ts'
import { moveTransactions } from '../venues-mock/movers.ts'
import { SHIFT_ONE } from '../venues-mock/shift.ts'
import { readVenueStates, venueOf } from '../venues-mock/state/venues.ts'
import type { DrivenChain } from './drivenChain.ts'
import type { StepOf } from './steps.ts'

const OPERATOR_GAS = 5_000_000n
const BPS = 10_000n
const SHIFTS_BPS = { small: 5n, large: 500n } as const

/** The steps of the venues' operator. Each ends with a block that has its transactions. */
export class VenueSteps {
  readonly #driven: DrivenChain
  readonly #faulty = new Set<StepOf<'fault'>['venue']>()

  constructor(driven: DrivenChain) {
    this.#driven = driven
  }

  async fault(step: StepOf<'fault'>): Promise<void> {
    await this.#switch(step.venue, faultOf(step))
    if (step.kind === 'none') this.#faulty.delete(step.venue)
    else this.#faulty.add(step.venue)
  }

  /** Ends the fault of every venue that has one. */
  async heal(): Promise<void> {
    for (const venue of this.#faulty) await this.#switch(venue, { kind: 'none' })
    this.#faulty.clear()
  }

  /** @throws {NoPoolToMoveError} the venue has no pool of this pair. */
  async movePool(step: StepOf<'move-pool'>): Promise<void> {
    const { manifest, sandbox } = this.#driven
    const states = await readVenueStates(
      (method, params) => sandbox.rpc.request(method, params),
      withTicksOf(manifest, step.venue),
    )
    const moves = moveTransactions(manifest, states, {
      venue: step.venue,
      tokenIn: tokenAddress(this.#driven, step.from),
      tokenOut: tokenAddress(this.#driven, step.to),
      direction: step.against === 'seller' ? 'against' : 'for',
      shift: (SHIFT_ONE * SHIFTS_BPS[step.size]) / BPS,
    })
    await this.#carryOut(moves)
  }

  #switch(venue: StepOf<'fault'>['venue'], fault: VenueFault): Promise<void> {
    const to = venueOf(this.#driven.manifest, venue).address
    return this.#carryOut([{ to, data: encodeSetFault(fault) }])
  }

  /** @throws {RangeError} a transaction of the operator failed. */
  async #carryOut(calls: readonly { readonly to: Hex; readonly data: Hex }[]): Promise<void> {
    const operator = this.#driven.wallet('operator')
    const hashes: Hex[] = []
    for (const { to, data } of calls) {
      hashes.push((await operator.send({ to, data, gas: OPERATOR_GAS })).hash)
    }
    await this.#driven.mine()
    for (const hash of hashes) {
      const receipt = await this.#driven.sandbox.chain.receipt(hash)
      if (!receipt?.success) throw new RangeError(`the operator's transaction ${hash} failed`)
    }
  }
}

/** The manifest without the pools of other venues: their ticks take longest to read and are not needed here. */
function withTicksOf(manifest: Manifest, venue: StepOf<'move-pool'>['venue']): Manifest {
  const venues = manifest.venues.map((each) => {
    if (each.id === venue) return each
    if (each.id === 'venue_b') return { ...each, pools: [] }
    return each.id === 'venue_e' ? { ...each, poolKeys: [] } : each
  })
  return { ...manifest, venues }
}

/** @throws {RangeError} the manifest has no such token. */
export function tokenAddress({ manifest }: DrivenChain, symbol: string): Hex {
  const token = [...manifest.registry, ...manifest.otherTokens].find((each) => each.symbol === symbol)
  if (token === undefined) throw new RangeError(`the manifest has no token ${symbol}`)
  return token.address
}

function faultOf({ kind, value }: StepOf<'fault'>): VenueFault {
  if (kind === 'move-on-swap') return { kind, lossBps: value }
  if (kind !== 'nonsense-on-quote') return { kind }
  const answer = NONSENSE_ANSWERS[value]
  if (answer === undefined)
    throw new RangeError(
      `${value} is not a nonsense answer; the answers are 0 to ${NONSENSE_ANSWERS.length - 1}`,
    )
  return { kind, answer }
}
