/** §1: the six venue identifiers, in the order of the `preferEngine` list. Ties in the ranking keep this order. */
export const VENUE_IDS = ['venue_a', 'venue_b', 'venue_c', 'venue_d', 'venue_e', 'venue_f'] as const
export type VenueId = (typeof VENUE_IDS)[number]

/** §1: the seventh value, which appears only as a result. */
export const MARKET = 'market'
export type EngineId = VenueId | typeof MARKET

/** §4.2 rule 6: the routes whose fee cannot be skimmed inside the swap. */
export const FEE_TRANSFER_VENUES: ReadonlySet<EngineId> = new Set<EngineId>(['venue_c', 'venue_d'])
