import { sha256 } from '../format/canonical.ts'
import type { Recording } from '../format/schema.ts'
import { type EnvelopeSignature, isSignedBy, parseEnvelopes, payloadOf } from './envelope.ts'
import { SignatureError, SignatureFormatError } from './errors.ts'
import { type SignerKey, SSH_ED25519, sshPublicKey } from './signingKey.ts'
import { type Predicate, parseStatement } from './statement.ts'

/** A signature of a recording that was checked. */
export interface Signed {
  readonly signer: SignerKey
  /** What was signed: of whom, when, with which programs. */
  readonly predicate: Predicate
  /** True if it is the signer of the statement; false: somebody who signed it as well. */
  readonly isAuthor: boolean
}

/** The recording that must have been signed. */
export interface SignedFile {
  readonly text: string
  readonly recording: Recording
}

const OTHER =
  'Get file and signatures from the same source, or sign the recording as it is now in a new file of signatures.'

/**
 * Checks every signature of a recording: that it is over this file, and by the key that it names.
 *
 * @param signatures the text of the file of signatures.
 * @param trusted keys that may have signed a statement in addition to its own signer, who stands in it.
 * @returns the signatures by known keys, in the order of the file.
 * @throws {SignatureFormatError} it is no file of signatures.
 * @throws {SignatureError} a signature is not good, or of another recording.
 */
export function checkSignatures(
  signatures: string,
  file: SignedFile,
  trusted: readonly SignerKey[] = [],
): readonly Signed[] {
  const sha256OfFile = sha256(file.text)
  return parseEnvelopes(signatures).flatMap((envelope, index) => {
    const place = `envelope ${index + 1}`
    const { predicate, subject } = parseStatement(payloadOf(envelope), place)
    const author = authorOf(predicate, place)
    const known = [author, ...trusted.filter(({ ssh }) => ssh !== author.ssh)]
    const signed = envelope.signatures.flatMap((entry): readonly Signed[] => {
      const signer = known.find(({ key }) => isSignedBy(envelope, entry, key))
      if (signer === undefined) {
        checkUnknown(entry, known, place)
        return []
      }
      if (entry.keyid !== undefined && entry.keyid !== '' && entry.keyid !== signer.fingerprint)
        throw new SignatureError(
          'other-key-id',
          `${place}: the signature is by ${signer.fingerprint} and calls it ${entry.keyid}`,
          'Whoever wrote that did not make the signature. Get the file of signatures from its source.',
        )
      return [
        {
          signer,
          predicate,
          isAuthor: signer === author,
        },
      ]
    })
    if (!signed.some(({ isAuthor }) => isAuthor)) throw badSignature(author, place)
    const { root } = predicate.recording
    if (root !== file.recording.trailer.root || subject[0].digest.sha256 !== sha256OfFile)
      throw new SignatureError(
        'other-recording',
        `${place}: ${author.fingerprint} signed the root ${root}, and that of the file is ${file.recording.trailer.root}: another recording, or changed after it was signed`,
        OTHER,
      )
    return signed
  })
}

/** Returns the key that stands in the statement. */
function authorOf({ signer }: Predicate, place: string): SignerKey {
  const key = sshPublicKey(signer.key.slice(SSH_ED25519.length + 1), signer.name)
  if (key?.ssh === signer.key) return key
  throw new SignatureFormatError(
    place,
    'in its payload, /predicate/signer/key is no Ed25519 key as OpenSSH writes it',
  )
}

/** @throws {SignatureError} a signature that no known key made names one of them. */
function checkUnknown({ keyid }: EnvelopeSignature, known: readonly SignerKey[], place: string): void {
  const named = known.find(({ fingerprint }) => fingerprint === keyid)
  if (named !== undefined) throw badSignature(named, place)
}

function badSignature({ fingerprint }: SignerKey, place: string): SignatureError {
  return new SignatureError(
    'bad-signature',
    `${place}: the signature by ${fingerprint} does not hold: it is of other bytes, or by another key`,
    'Do not trust this file of signatures. Get it again from its source.',
  )
}

/** A file of keys, one of which must have signed. */
export interface DemandedSigner {
  readonly path: string
  readonly keys: readonly SignerKey[]
}

/**
 * Returns the signature by one of the keys of each file.
 *
 * @throws {SignatureError} there is none.
 */
export function checkSigners(
  signed: readonly Signed[],
  demanded: readonly DemandedSigner[],
): readonly { readonly by: DemandedSigner; readonly signed: Signed }[] {
  return demanded.map((by) => {
    const found = signed.find(({ signer }) => by.keys.some(({ ssh }) => ssh === signer.ssh))
    if (found === undefined) throw notSigned(by, signed)
    return { by, signed: found }
  })
}

function notSigned({ path, keys }: DemandedSigner, signed: readonly Signed[]): SignatureError {
  const wanted = keys.length === 1 ? `the key of ${path}, ${keys[0]?.fingerprint}` : `any key of ${path}`
  const others = [...new Set(signed.map(({ signer }) => signer.fingerprint))]
  const by = others.length === 0 ? 'by nobody' : `by ${others.join(', ')}`
  return new SignatureError(
    'not-signed',
    `not signed by ${wanted}: it is signed ${by}`,
    'Ask whoever has the key to sign it: `plumbline sign FILE --key KEY`. Its file of signatures lies next to the recording.',
  )
}
