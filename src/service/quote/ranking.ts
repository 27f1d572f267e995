import { ratioBps } from '../amounts/bps.ts'
import type { Venue, Way } from '../venues/venue.ts'

/** A venue that can trade, with its output and gas cost in base units of the output. */
export interface Candidate {
  readonly venue: Venue
  readonly way: Way
  readonly amountOutRaw: bigint
  readonly gasWei: bigint
  readonly gasCostRaw: bigint
}

/** Returns the output after gas; negative when gas costs more than the output is worth. */
export function netRaw(candidate: Candidate): bigint {
  return candidate.amountOutRaw - candidate.gasCostRaw
}

/** Sorts by output after gas, best first; ties keep the order of the venues, not of their replies. */
export function rank(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted((a, b) => {
    const difference = netRaw(b) - netRaw(a)
    if (difference !== 0n) return difference > 0n ? 1 : -1
    return a.venue.id < b.venue.id ? -1 : 1
  })
}

/**
 * Returns how far a candidate is behind the winner, in bps of the winner's output after gas. When gas consumes all of that, in
 * bps of the winner's output before gas, which is never zero.
 */
export function deltaBps(winner: Candidate, candidate: Candidate): number {
  const best = netRaw(winner)
  return ratioBps(best - netRaw(candidate), best > 0n ? best : winner.amountOutRaw)
}
