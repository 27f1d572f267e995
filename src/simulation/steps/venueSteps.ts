import type { Hex } from 'viem'
import { venueFaultOf } from '../../venues-mock/faults.ts'
import { moveTransactions } from '../../venues-mock/movers.ts'
import { SHIFT_ONE } from '../../venues-mock/shift.ts'
import { type FaultTransaction, sendAndMine, venueFault } from '../faults/onChain.ts'
import type { DrivenChain } from '../world/drivenChain.ts'
import { venueStatesOf } from '../world/venueStates.ts'
import type { StepRun } from './stepRun.ts'
import type { StepOf } from './steps.ts'

const BPS = 10_000n
const SHIFTS_BPS = { small: 5n, large: 500n } as const

/** Injects a fault into a venue, or ends it, in a separate block. */
export async function injectVenueFault(
  { driven, faultyVenues }: StepRun,
  { venue, kind, value }: Pick<StepOf<'fault'>, 'venue' | 'kind' | 'value'>,
): Promise<void> {
  await carryOut(driven, [venueFault(driven.manifest, venue, venueFaultOf(kind, value))])
  if (kind === 'none') faultyVenues.delete(venue)
  else faultyVenues.add(venue)
}

export async function healVenues(run: StepRun): Promise<void> {
  for (const venue of [...run.faultyVenues]) await injectVenueFault(run, { venue, kind: 'none', value: 0 })
}

/**
 * Moves a venue's price, in a separate block.
 *
 * @throws {NoPoolToMoveError} the venue has no pool of this pair.
 */
export async function movePool({ driven }: StepRun, step: StepOf<'move-pool'>): Promise<void> {
  const moves = moveTransactions(driven.manifest, await venueStatesOf(driven), {
    venue: step.venue,
    tokenIn: tokenAddress(driven, step.from),
    tokenOut: tokenAddress(driven, step.to),
    direction: step.against === 'seller' ? 'against' : 'for',
    shift: (SHIFT_ONE * SHIFTS_BPS[step.size]) / BPS,
  })
  await carryOut(
    driven,
    moves.map((move) => ({ ...move, by: 'operator' })),
  )
}

/** @throws {RangeError} a transaction of the operator failed. */
async function carryOut(driven: DrivenChain, transactions: readonly FaultTransaction[]): Promise<void> {
  const failed = await sendAndMine(driven, transactions)
  if (failed !== null) throw new RangeError(`the operator's transaction ${failed} failed`)
}

/** @throws {RangeError} the manifest has no such token. */
export function tokenAddress({ manifest }: DrivenChain, symbol: string): Hex {
  const token = [...manifest.registry, ...manifest.otherTokens].find((each) => each.symbol === symbol)
  if (token === undefined) throw new RangeError(`the manifest has no token ${symbol}`)
  return token.address
}
