/** An address that nobody uses. */
export const SOMEBODY: `0x${string}` = `0x${'fe'.repeat(20)}`

/** Venues that are called directly, and take their fee by a transfer. */
export const isDirect = (engine: string): boolean => engine === 'venue_c' || engine === 'venue_d'

/** The body of a quote that no venue can price (§4.1 rule 1). */
export const NO_ROUTE = {
  route: null,
  listedFeeBps: 0,
  integratorFeeBps: 0,
  partnerFeeBps: 0,
  partnerFeeRecipient: null,
  totalFeeBps: 0,
}
