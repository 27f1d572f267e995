/** An address that nobody uses. */
export const SOMEBODY = `0x${'fe'.repeat(20)}`

/** Where absent or not a number, the value itself; otherwise what `change` makes of the number. */
const asNumber = (change: (number: number) => number) => (value: unknown) =>
  value === undefined || Number.isNaN(Number(value)) ? value : change(Number(value))

/** A number within a range; anything else as it is. */
export const clamp = (value: unknown, low: number, high: number): unknown =>
  asNumber((number) => Math.min(Math.max(number, low), high))(value)
/** A number without its fraction; anything else as it is. */
export const truncated: (value: unknown) => unknown = asNumber(Math.trunc)

/** Whether a value is a 0x address. */
export const isAddress = (value: unknown): boolean => /^0x[0-9a-f]{40}$/i.test(String(value))
/** Whether a value is a venue id. */
export const isVenue = (value: unknown): boolean => /^venue_[a-f]$/.test(String(value))
/** Venues that are called directly, and take their fee by a transfer. */
export const isDirect = (engine: string): boolean => engine === 'venue_c' || engine === 'venue_d'
