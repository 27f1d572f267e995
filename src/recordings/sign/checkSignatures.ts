import { sha256 } from '../format/canonical.ts'
import { only } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { judgedAs } from '../verify/judgedAs.ts'
import { type EnvelopeSignature, isSignedBy, parseEnvelopes, payloadOf } from './envelope.ts'
import { SignatureError, SignatureFormatError } from './errors.ts'
import { type SignerKey, SSH_ED25519, sshPublicKey } from './signingKey.ts'
import { type Predicate, parseStatement } from './statement.ts'

/** A checked signature of a recording. */
export interface Signed {
  readonly signer: SignerKey
  readonly predicate: Predicate
  /** True if the signer is the one that the statement names; false for an additional signer. */
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
 * Checks that every signature of a recording is over this file and by the key that it names.
 *
 * @param signatures the text of the file of signatures.
 * @param trusted keys that may have signed a statement in addition to the signer that it names.
 * @returns the signatures by known keys, in the order of the file.
 * @throws {SignatureFormatError} it is not a file of signatures.
 * @throws {SignatureError} a signature is invalid, or of another recording.
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
    checkDescribed(predicate, file.recording, place)
    if (root !== file.recording.trailer.root || subject[0].digest.sha256 !== sha256OfFile)
      throw new SignatureError(
        'other-recording',
        `${place}: ${author.fingerprint} signed the root ${root}, and that of the file is ${file.recording.trailer.root}: another recording, or changed after it was signed`,
        OTHER,
      )
    return signed
  })
}

/** @throws {SignatureError} the statement is about a recording with this root, and contradicts the file. */
function checkDescribed(
  { recording: said, notJudged }: Predicate,
  { schema, entries, trailer }: Recording,
  place: string,
): void {
  if (said.root !== trailer.root) return
  const [, { name: script, seed }] = only(entries, 'script')
  const actual: Predicate['recording'] = { schema, root: trailer.root, entries: entries.length, script, seed }
  const differ = (field: string, signed: unknown, inFile: unknown) => {
    throw new SignatureError(
      'other-recording',
      `${place}: what was signed says ${field} ${signed}, and the file has ${inFile}`,
      OTHER,
    )
  }
  for (const field of Object.keys(actual) as (keyof typeof actual)[])
    if (said[field] !== actual[field]) differ(field, said[field], actual[field])
  const [signed, inFile] = [notJudged, judgedAs(entries)?.undeclared ?? []].map(
    (each) => each.join(', ') || 'nothing',
  )
  if (signed !== inFile) differ('not judged:', signed, inFile)
}

/**
 * Checks that the signed verdicts equal that of verify.
 *
 * @param executed true if a second EVM executed the recording now. Only statements with the same value are compared.
 * @throws {SignatureError} a signed verdict differs.
 */
export function checkSignedVerdicts(
  signed: readonly { readonly statement: Pick<Predicate, 'verdict' | 'executed'>; readonly key: string }[],
  verdict: Predicate['verdict'],
  executed: boolean,
): void {
  const other = signed.find(
    ({ statement }) => statement.executed === executed && statement.verdict !== verdict,
  )
  if (other === undefined) return
  throw new SignatureError(
    'other-recording',
    `${other.key} signed the verdict ${other.statement.verdict}, and verify comes to ${verdict}`,
    'Ask whoever signed it with which version, and verify with that one; until then do not trust the signature.',
  )
}

/** Returns the key of the signer that the statement names. */
function authorOf({ signer }: Predicate, place: string): SignerKey {
  const key = sshPublicKey(signer.key.slice(SSH_ED25519.length + 1), signer.name)
  if (key?.ssh === signer.key) return key
  throw new SignatureFormatError(
    place,
    'in its payload, /predicate/signer/key is no Ed25519 key as OpenSSH writes it',
  )
}

/** @throws {SignatureError} the signature names a known key, which did not make it. */
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

/** A file of public keys, one of which must have signed. */
export interface DemandedSigner {
  readonly path: string
  readonly keys: readonly SignerKey[]
}

/**
 * Returns a signature for each file, by one of its keys and each by a different signer.
 *
 * @throws {SignatureError} a file has no signature, or there are fewer signers than files.
 */
export function checkSigners(
  signed: readonly Signed[],
  demanded: readonly DemandedSigner[],
): readonly { readonly by: DemandedSigner; readonly signed: Signed }[] {
  const missing = demanded.find((by) => !signed.some((each) => isOf(each, by)))
  if (missing !== undefined) throw notSigned(missing, signed)
  const found = oneForEach(signed, demanded)
  if (found !== null) return found
  throw new SignatureError(
    'not-signed',
    `not signed by ${demanded.length} signers: ${demanded.map(({ path }) => path).join(', ')} hold keys of fewer who have signed`,
    'A key that is in two files is one signer. Ask another one to sign: `plumbline sign FILE --key KEY`.',
  )
}

const isOf = ({ signer }: Signed, { keys }: DemandedSigner) => keys.some(({ ssh }) => ssh === signer.ssh)

/** Returns a signature for each file, no two by the same key; null: that is impossible. */
function oneForEach(
  signed: readonly Signed[],
  [by, ...others]: readonly DemandedSigner[],
): readonly { readonly by: DemandedSigner; readonly signed: Signed }[] | null {
  if (by === undefined) return []
  for (const each of signed.filter((one) => isOf(one, by))) {
    const rest = oneForEach(
      signed.filter(({ signer }) => signer.ssh !== each.signer.ssh),
      others,
    )
    if (rest !== null) return [{ by, signed: each }, ...rest]
  }
  return null
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
