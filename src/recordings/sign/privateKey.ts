import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SigningKeyError } from './errors.ts'
import { type SignerKey, SSH_ED25519, signerKey } from './signingKey.ts'
import { SshReader } from './sshWire.ts'

const OPENSSH = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+)-----END OPENSSH PRIVATE KEY-----/
const MAGIC = 'openssh-key-v1\0'
const SEED_BYTES = 32
const OTHER_KEY = 'Give an Ed25519 key: `ssh-keygen -t ed25519` or `plumbline keys signing` makes one.'
const NO_KEY =
  'Give a private Ed25519 key, as OpenSSH or PEM (PKCS #8): `ssh-keygen -t ed25519` or `plumbline keys signing` makes one.'
const DECRYPT =
  'Sign with a copy that has no passphrase, and remove it afterwards: `cp KEY COPY && ssh-keygen -p -N "" -f COPY`; or make a key for this with `plumbline keys signing`.'

/** A key that signs, with the one that its signatures are checked with. */
export interface PrivateKey {
  readonly privateKey: KeyObject
  readonly signer: SignerKey
}

/**
 * Reads a private Ed25519 key without a passphrase, as OpenSSH or as PEM writes it.
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
  try {
    return parseOpenSsh(path, bytes)
  } catch (error) {
    if (error instanceof RangeError)
      throw new SigningKeyError(path, 'holds a private key that is cut off', NO_KEY)
    throw error
  }
}

/** Returns the format `openssh-key-v1`, as PROTOCOL.key of OpenSSH describes it. */
function parseOpenSsh(path: string, bytes: Buffer): PrivateKey {
  const file = new SshReader(bytes)
  if (file.take(MAGIC.length).toString('latin1') !== MAGIC)
    throw new SigningKeyError(path, 'holds no key in the form openssh-key-v1', NO_KEY)
  const cipher = file.string().toString('latin1')
  if (cipher !== 'none') throw new SigningKeyError(path, `is encrypted (${cipher})`, DECRYPT)
  file.string() // The key derivation and its options are of no use without a cipher.
  file.string()
  const keys = file.uint32()
  if (keys !== 1) throw new SigningKeyError(path, `holds ${keys} keys, not 1`, NO_KEY)
  file.string() // The public key, which follows from the private one.
  const secret = new SshReader(file.string())
  const [check, sameCheck] = [secret.uint32(), secret.uint32()]
  const kind = secret.string().toString('latin1')
  if (kind !== SSH_ED25519)
    throw new SigningKeyError(path, `holds a key of kind ${kind}, not ${SSH_ED25519}`, OTHER_KEY)
  const x = secret.string().toString('base64url')
  const d = secret.string().subarray(0, SEED_BYTES).toString('base64url')
  const comment = secret.string().toString('utf8').trim()
  const privateKey = createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d, x } })
  const read = ed25519(path, privateKey, comment === '' ? null : comment)
  if (check !== sameCheck || read.signer.key.export({ format: 'jwk' }).x !== x)
    throw new SigningKeyError(path, 'holds a damaged key: its halves do not fit', NO_KEY)
  return read
}
