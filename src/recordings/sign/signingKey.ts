import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { bytes, magic, prefix, string, struct, U32BE } from 'micro-packed'
import { decodeBase64 } from './base64.ts'

export const SSH_ED25519 = 'ssh-ed25519'
const KEY_BYTES = 32
/** A string of SSH (RFC 4251 §5), which may hold any bytes. */
export const sshBytes = bytes(U32BE)
/** A string of SSH that is text. */
export const sshText = string(U32BE)
/** The structure that OpenSSH writes in base64 (RFC 8709 §4). */
const publicKeyWire = struct({
  kind: magic(sshText, SSH_ED25519),
  raw: prefix(U32BE, bytes(KEY_BYTES)),
})

/** An Ed25519 key that checks signatures. */
export interface SignerKey {
  readonly key: KeyObject
  /** As `ssh-keygen -l` shows it: `SHA256:` and base64. */
  readonly fingerprint: string
  /** As OpenSSH writes it, without a comment: `ssh-ed25519 AAAA…`. */
  readonly ssh: string
  /** Whose it is, by the file that it comes from; null: the file does not say. */
  readonly name: string | null
}

/** @param key an Ed25519 key, private or public. */
export function signerKey(key: KeyObject, name: string | null): SignerKey {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const wire = Buffer.from(publicKeyWire.encode({ raw: Buffer.from(x, 'base64url') }))
  const digest = createHash('sha256').update(wire).digest('base64').replace(/=+$/, '')
  return {
    key: publicKey,
    fingerprint: `SHA256:${digest}`,
    ssh: `${SSH_ED25519} ${wire.toString('base64')}`,
    name,
  }
}

/** Returns the key in the base64 of OpenSSH. @returns null: it is no Ed25519 key. */
export function sshPublicKey(base64: string, name: string | null): SignerKey | null {
  const wire = decodeBase64(base64)
  if (wire === null) return null
  try {
    return signerKey(publicKeyOf(publicKeyWire.decode(wire).raw), name)
  } catch {
    return null
  }
}

/** @param raw the 32 bytes of an Ed25519 public key. */
function publicKeyOf(raw: Uint8Array): KeyObject {
  const x = Buffer.from(raw).toString('base64url')
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
}
