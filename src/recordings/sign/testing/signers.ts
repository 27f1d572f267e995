import { createHash, createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type PrivateKey, readPrivateKey } from '../privateKey.ts'

/** Before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = '302e020100300506032b657004220420'

/** The private key of somebody in a test, as PEM; the same one each time. */
export function pemOf(who: string): string {
  const seed = createHash('sha256').update(`a key of a test: ${who}`).digest()
  const der = Buffer.concat([Buffer.from(PKCS8_HEAD, 'hex'), seed])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString()
}

export const keyOf = (who: string): PrivateKey => readPrivateKey(who, pemOf(who))

/** A recording that never changes. */
export const SIGNED_FILE = new URL(
  '../../testing/former/recording-1/window.still-pending-at-end.json',
  import.meta.url,
)

/** What `npm run fixtures:signing` made once, with OpenSSL: a file of signatures, and timestamps over the first of them. */
export interface SigningFixtures {
  /** Envelopes over `SIGNED_FILE`: by `alice` on 2026-11-23, and by `bob`, whose clock says 2099. */
  readonly signatures: string
  /** Certificates in PEM: the authority, and one that has issued nothing else. */
  readonly authorities: Readonly<Record<'root' | 'stranger', string>>
  /** What an authority for timestamps sent, DER in base64. */
  readonly timestamps: Readonly<Record<TimestampName, string>>
}

/**
 * `rsa`, `ec` (by way of a second authority), `chain` (the same, naming all certificates up to the root): good responses; `token`: the token of `rsa` alone; `bare`: `rsa` without
 * certificates; `other`: over other bytes; `expired`: with a certificate of 2020; `refused`: none was given; `late`: over the
 * signature of `bob`; `short`: by way of an authority that may not have another below it.
 */
export type TimestampName =
  | 'rsa'
  | 'ec'
  | 'token'
  | 'chain'
  | 'bare'
  | 'other'
  | 'expired'
  | 'refused'
  | 'late'
  | 'short'

export function signingFixtures(): SigningFixtures {
  return JSON.parse(readFileSync(new URL('fixtures.json', import.meta.url), 'utf8')) as SigningFixtures
}
