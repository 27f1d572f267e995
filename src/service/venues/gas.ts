import type { VenueId } from '../../spec/venues.ts'

interface GasUnits {
  /** One settlement through the venue, ERC-20 to ERC-20. */
  readonly swap: bigint
  /** Each pool after the first. */
  readonly extraHop: bigint
}

const GAS_UNITS: Readonly<Record<VenueId, GasUnits>> = {
  venue_a: { swap: 170_000n, extraHop: 80_000n },
  venue_b: { swap: 210_000n, extraHop: 100_000n },
  venue_c: { swap: 130_000n, extraHop: 0n },
  venue_d: { swap: 150_000n, extraHop: 0n },
  venue_e: { swap: 220_000n, extraHop: 110_000n },
  venue_f: { swap: 150_000n, extraHop: 0n },
}

/** Wrapping or unwrapping one side of the swap. */
const CONVERSION_GAS = 35_000n

/** Gas of one settlement: the cost that the ranking takes off each venue's output. */
export function settlementGas(venue: VenueId, extraHops: number, conversions: number): bigint {
  const { swap, extraHop } = GAS_UNITS[venue]
  return swap + extraHop * BigInt(extraHops) + CONVERSION_GAS * BigInt(conversions)
}
