import { createHash, createPrivateKey } from 'node:crypto'
import { type PrivateKey, readPrivateKey } from '../privateKey.ts'

/** The bytes before an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = '302e020100300506032b657004220420'

/** Returns the private key of a test's signer as PEM; the same name always gives the same key. */
export function pemOf(who: string): string {
  const seed = createHash('sha256').update(`a key of a test: ${who}`).digest()
  const der = Buffer.concat([Buffer.from(PKCS8_HEAD, 'hex'), seed])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString()
}

export const keyOf = (who: string): PrivateKey => readPrivateKey(who, pemOf(who))
