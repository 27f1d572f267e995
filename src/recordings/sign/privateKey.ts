import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type CoderType, magicBytes, struct, U32BE } from 'micro-packed'
import { SigningKeyError } from './errors.ts'
import { type SignerKey, SSH_ED25519, signerKey, sshBytes, sshText } from './signingKey.ts'

const OPENSSH = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+)-----END OPENSSH PRIVATE KEY-----/
/** The format openssh-key-v1 with one key (PROTOCOL.key of OpenSSH). */
const openSshFile = struct({
  magic: magicBytes('openssh-key-v1\0'),
  cipher: sshText,
  derivation: sshBytes,
  derivationOptions: sshBytes,
  keys: U32BE,
  publicHalf: sshBytes,
  secret: sshBytes,
})
/** The secret of an Ed25519 key. Other kinds have different fields after `kind`, and at least as many. */
const openSshSecret = struct({
  check: U32BE,
  sameCheck: U32BE,
  kind: sshText,
  publicHalf: sshBytes,
  privateHalf: sshBytes,
  comment: sshBytes,
})
const SEED_BYTES = 32
const OTHER_KEY = 'Give an Ed25519 key: `ssh-keygen -t ed25519` or `plumbline keys signing` makes one.'
const NO_KEY =
  'Give a private Ed25519 key, as OpenSSH or PEM (PKCS #8): `ssh-keygen -t ed25519` or `plumbline keys signing` makes one.'
const DECRYPT =
  'Sign with a copy that has no passphrase, and remove it afterwards: `cp KEY COPY && ssh-keygen -p -N "" -f COPY`; or make a key for this with `plumbline keys signing`.'

/** A private key with its public key. */
export interface PrivateKey {
  readonly privateKey: KeyObject
  readonly signer: SignerKey
}

/**
 * Reads a private Ed25519 key without a passphrase, in the format of OpenSSH or in PEM.
 *
 * @param path names the file in errors.
 * @throws {SigningKeyError} it holds no such key.
 */
export function readPrivateKey(path: string, text: string): PrivateKey {
  const [, openssh] = OPENSSH.exec(text) ?? []
  if (openssh !== undefined) return openSshKey(path, Buffer.from(openssh, 'base64'))
  if (text.includes('ENCRYPTED')) throw new SigningKeyError(path, 'is encrypted', DECRYPT)
  let privateKey: KeyObject
  try {
    privateKey = createPrivateKey(text)
  } catch {
    throw new SigningKeyError(path, 'holds no private key', NO_KEY)
  }
  return ed25519(path, privateKey, null)
}

function ed25519(path: string, privateKey: KeyObject, name: string | null): PrivateKey {
  const kind = privateKey.asymmetricKeyType
  if (kind !== 'ed25519')
    throw new SigningKeyError(path, `holds a key of kind ${kind}, not ed25519`, OTHER_KEY)
  return { privateKey, signer: signerKey(privateKey, name) }
}

function openSshKey(path: string, bytes: Buffer): PrivateKey {
  const { cipher, keys, secret } = decoded(path, openSshFile, bytes)
  if (cipher !== 'none') throw new SigningKeyError(path, `is encrypted (${cipher})`, DECRYPT)
  if (keys !== 1) throw new SigningKeyError(path, `holds ${keys} keys, not 1`, NO_KEY)
  const { kind, check, sameCheck, publicHalf, privateHalf, comment } = decoded(path, openSshSecret, secret)
  if (kind !== SSH_ED25519)
    throw new SigningKeyError(path, `holds a key of kind ${kind}, not ${SSH_ED25519}`, OTHER_KEY)
  const x = Buffer.from(publicHalf).toString('base64url')
  const d = Buffer.from(privateHalf.subarray(0, SEED_BYTES)).toString('base64url')
  const privateKey = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d, x } })
  const read = ed25519(path, privateKey, Buffer.from(comment).toString('utf8').trim() || null)
  if (check !== sameCheck || read.signer.key.export({ format: 'jwk' }).x !== x)
    throw new SigningKeyError(path, 'holds a damaged key: its halves do not fit', NO_KEY)
  return read
}

function decoded<Fields>(path: string, structure: CoderType<Fields>, bytes: Uint8Array): Fields {
  try {
    // The remaining bytes are padding.
    return structure.decode(bytes, { allowUnreadBytes: true })
  } catch {
    throw new SigningKeyError(
      path,
      'holds a private key that is cut off, or is not in the form openssh-key-v1',
      NO_KEY,
    )
  }
}
