import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { bytes, magic, prefix, string, struct, U32BE } from 'micro-packed'
import { decodeBase64 } from './base64.ts'

export const SSH_ED25519 = 'ssh-ed25519'
const KEY_BYTES = 32
/** A string of SSH (RFC 4251 §5), which may contain any bytes. */
export const sshBytes = bytes(U32BE)
/** A string of SSH that contains text. */
export const sshText = string(U32BE)
/** The structure inside the base64 of an OpenSSH public key (RFC 8709 §4). */
const publicKeyWire = struct({
  kind: magic(sshText, SSH_ED25519),
  raw: prefix(U32BE, bytes(KEY_BYTES)),
})

/** An Ed25519 public key. */
export interface SignerKey {
  readonly key: KeyObject
  /** In the form of `ssh-keygen -l`: `SHA256:` and base64. */
  readonly fingerprint: string
  /** In the form of OpenSSH, without a comment: `ssh-ed25519 AAAA…`. */
  readonly ssh: string
  /** The owner's name in the file of the key; null: the file has none. */
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

/** Parses the base64 of an OpenSSH public key. @returns null: it is not an Ed25519 key. */
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
