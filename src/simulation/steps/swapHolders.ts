import type { Hex } from 'viem'
import type { ObservedExecution } from '../../oracles/index.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { BuildResponse } from '../../spec/wire.ts'
import { paysWhatItQuotes } from '../../venues-mock/models/outputs.ts'
import type { VenueStates } from '../../venues-mock/state/venues.ts'

/** Venues whose front forwards to a separate pool, and so holds no tokens itself. */
const FORWARDING: ReadonlySet<string> = new Set(['venue_a', 'venue_b', 'venue_e'])

/**
 * Returns the token holders that the judge of an executed build must know.
 *
 * @param states the pools right before the swap; null: unknown.
 */
export function holdersOf(
  manifest: Manifest,
  states: Pick<VenueStates, 'faults'> | null,
  { engine }: Pick<BuildResponse, 'engine'>,
): ObservedExecution['holders'] {
  const { settlement, permit2, multicall3, venues, weth } = manifest
  // The front of a venue that pays less than its pool did keeps the difference: that is its fault.
  const keepsRest = (id: string) => id === engine && states !== null && !paysWhatItQuotes(states, engine)
  const keeping = venues.filter(({ id }) => keepsRest(id)).map(({ address }) => address)
  const forwarding = venues.filter(({ id }) => FORWARDING.has(id) && !keepsRest(id))
  return {
    venue: [...poolsOf(manifest, engine), ...keeping],
    through: [settlement.address, permit2, multicall3, ...forwarding.map(({ address }) => address)],
    settlement: settlement.address,
    weth,
  }
}

/** Returns the addresses that hold the tokens of a venue. */
export function poolsOf(manifest: Manifest, engine: string): readonly Hex[] {
  const venue = manifest.venues.find(({ id }) => id === engine)
  if (venue === undefined) return []
  switch (venue.id) {
    case 'venue_a':
      return venue.pairs.flatMap(({ pool }) => pool ?? [])
    case 'venue_b':
      return venue.pools.map(({ pool }) => pool)
    case 'venue_e':
      return [venue.poolManager]
    default:
      return [venue.address]
  }
}
