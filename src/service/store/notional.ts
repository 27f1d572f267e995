import { type Expression, sql } from 'kysely'

/**
 * Digits per limb. Neither database can add 256-bit numbers stored as text, and SQLite integers have 64 bits. So a notional is
 * stored with a fixed width and summed limb by limb by the query that counts the builds: with twelve digits, a 64-bit sum has
 * room for nine million builds of the largest value.
 */
const LIMB_DIGITS = 12
const LIMBS = 8
/** Wide enough for the largest uint256 at 10^12 dollars per unit, in millionths. */
export const NOTIONAL_DIGITS = LIMB_DIGITS * LIMBS

/** @throws {RangeError} negative or wider than the column: no price is that high, so this is a bug in the caller. */
export function encodeNotional(micros: bigint): string {
  const text = micros.toString().padStart(NOTIONAL_DIGITS, '0')
  if (micros < 0n || text.length > NOTIONAL_DIGITS)
    throw new RangeError(`${micros} is not a notional in micros`)
  return text
}

/** Returns an expression for the sums of the limbs, most significant first, as decimal text joined by commas. */
export function sumOfNotionals(column: Expression<string | null>) {
  const sums = Array.from({ length: LIMBS }, (_, limb) => {
    const from = sql.lit(limb * LIMB_DIGITS + 1)
    const digits = sql`substr(${column}, ${from}, ${sql.lit(LIMB_DIGITS)})`
    return sql`cast(coalesce(sum(cast(${digits} as bigint)), 0) as text)`
  })
  return sql<string>`${sql.join(sums, sql` || ',' || `)}`
}

/** Decodes the text selected by `sumOfNotionals`. */
export function decodeSum(limbSums: string): bigint {
  const base = 10n ** BigInt(LIMB_DIGITS)
  return limbSums.split(',').reduce((total, limbSum) => total * base + BigInt(limbSum), 0n)
}
