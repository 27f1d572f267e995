import type { Hex } from 'viem'
import type { Manifest } from '../spec/manifest.ts'
import { type VenueFault, venueFaultOf } from '../venues-mock/faults.ts'
import { moveTransactions } from '../venues-mock/movers.ts'
import { SHIFT_ONE } from '../venues-mock/shift.ts'
import { readVenueStates } from '../venues-mock/state/venues.ts'
import type { DrivenChain } from './drivenChain.ts'
import { type FaultTransaction, sendAndMine, venueFault } from './faults/onChain.ts'
import type { StepOf } from './steps.ts'

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
    await this.#switch(step.venue, venueFaultOf(step.kind, step.value))
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
    await this.#carryOut(moves.map((move) => ({ ...move, by: 'operator' })))
  }

  #switch(venue: StepOf<'fault'>['venue'], fault: VenueFault): Promise<void> {
    return this.#carryOut([venueFault(this.#driven.manifest, venue, fault)])
  }

  /** @throws {RangeError} a transaction of the operator failed. */
  async #carryOut(transactions: readonly FaultTransaction[]): Promise<void> {
    const failed = await sendAndMine(this.#driven, transactions)
    if (failed !== null) throw new RangeError(`the operator's transaction ${failed} failed`)
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
