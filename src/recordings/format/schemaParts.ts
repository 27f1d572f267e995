import { z } from 'zod'

export const text = z.string()
/** SHA-256 as lower-case hex. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hex')
/** 32 bytes of the chain: a hash or a root. */
export const evmHash = z.string().regex(/^0x[0-9a-f]{64}$/, 'must be 32 bytes of lower-case hex')
export const evmAddress = z.string().regex(/^0x[0-9a-f]{40}$/, 'must be an address in lower-case hex')
export const bytes = z.string().regex(/^0x(?:[0-9a-f]{2})*$/, 'must be bytes in lower-case hex')
/** A quantity that may exceed 2^53, as decimal digits. */
export const quantity = z.string().regex(/^(?:0|[1-9]\d*)$/, 'must be decimal digits')
/** A position counted from 0. */
export const position = z.int().min(0)

/** Returns an entry of one kind, with its position and its seal. */
export function entry<Kind extends string, Shape extends z.core.$ZodLooseShape>(kind: Kind, shape: Shape) {
  return z.strictObject({
    n: position.describe('The position of the entry, from 0.'),
    kind: z.literal(kind),
    ...shape,
    sums: text.describe(
      'The first digits of the SHA-256 of each field: they show which field of a broken entry was changed.',
    ),
    hash: digest.describe('SHA-256 over the hash of the entry before and the whole of this one.'),
  })
}
