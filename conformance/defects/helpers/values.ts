/** An address that nobody uses. */
export const SOMEBODY = `0x${'fe'.repeat(20)}`

/** Venues that are called directly, and take their fee by a transfer. */
export const isDirect = (engine: string): boolean => engine === 'venue_c' || engine === 'venue_d'
