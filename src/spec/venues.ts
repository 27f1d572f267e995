/** The six venue identifiers (§1), in the order of the `preferEngine` list. Ties in the ranking keep this order. */
export const VENUE_IDS = ['venue_a', 'venue_b', 'venue_c', 'venue_d', 'venue_e', 'venue_f'] as const
export type VenueId = (typeof VENUE_IDS)[number]

/** The seventh value of `engine` (§1), which appears only as a result. */
export const MARKET = 'market'
export type EngineId = VenueId | typeof MARKET

/** The venues whose fee cannot be skimmed inside the swap (§4.2 rule 6). */
export const FEE_TRANSFER_VENUES: ReadonlySet<EngineId> = new Set<EngineId>(['venue_c', 'venue_d'])
