import { createHash } from 'node:crypto'

/** Prefix of every key, so that people and secret scanners recognise it. */
const KEY_PREFIX = 'plk_live_'

/** Returns the text of a key: the prefix and 32 random bytes as hex. */
export const keyText = (secretHex: string): string => `${KEY_PREFIX}${secretHex}`

/**
 * Returns the SHA-256 of a key's whole text, as lower-case hex; only this is stored. A slow hash would add nothing, because the
 * secret is 256 random bits, not a password.
 */
export const hashSecret = (key: string): string => createHash('sha256').update(key).digest('hex')

/** RFC 6750 §2.1: the scheme in any letter case, one or more spaces, and a token of these characters. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i

/** Returns the key in an `Authorization` header, or null when the header is malformed. */
export const bearerKey = (authorization: string): string | null => BEARER.exec(authorization)?.[1] ?? null
