import { existsSync } from 'node:fs'
import { readForeignFile } from '../../host/foreignFile.ts'
import {
  checkSignatures,
  checkSigners,
  type DemandedSigner,
  type SignedFile,
} from '../../recordings/sign/checkSignatures.ts'
import { SignatureError, SignatureFormatError } from '../../recordings/sign/errors.ts'
import { readPublicKeys } from '../../recordings/sign/publicKeys.ts'
import { signaturesOf } from '../../recordings/sign/signatureFile.ts'
import type { Predicate } from '../../recordings/sign/statement.ts'

/** Far more than any file of keys: the line of a key has less than two hundred characters. */
const KEYS_BYTES_MAX = 1_048_576

/** One signature of a recording, as verify reports it. */
export interface ReportedSignature {
  readonly key: string
  /** Name of the signer: from the file of keys if it was demanded, otherwise as the signer states. */
  readonly name: string | null
  /** The file of keys that demanded it; null: it was not demanded, and anyone can have made that key. */
  readonly demandedBy: string | null
  readonly statement: Omit<Predicate, 'signer' | 'recording'>
}

/**
 * Checks the signatures next to a recording, and that every demanded signer has signed it.
 *
 * @param signers files of public keys; one key of each must have signed.
 * @throws {SignatureError} a demanded signature is missing, or a signature is invalid.
 * @throws {SignatureFormatError | SigningKeyError} a file cannot be used.
 */
export function recordedSignatures(
  path: string,
  file: SignedFile,
  signers: readonly string[],
): readonly ReportedSignature[] {
  const demanded = signers.map(
    (each): DemandedSigner => ({
      path: each,
      keys: readPublicKeys(each, readForeignFile(each, KEYS_BYTES_MAX)),
    }),
  )
  const place = signaturesOf(path)
  if (!existsSync(place)) {
    if (demanded.length === 0) return []
    throw new SignatureError(
      'not-signed',
      `not signed: there is no file ${place}`,
      'Get the signatures from the source of the recording, and put them there.',
    )
  }
  const trusted = demanded.flatMap(({ keys }) => keys)
  const signatures = readForeignFile(place)
  const signed = namingFile(place, () => checkSignatures(signatures, file, trusted))
  const wanted = checkSigners(signed, demanded)
  return signed.map((each): ReportedSignature => {
    const by = wanted.find((one) => one.signed === each)?.by
    const { signer: _signer, recording: _recording, ...statement } = each.predicate
    return {
      key: each.signer.fingerprint,
      name: by?.keys.find(({ ssh }) => ssh === each.signer.ssh)?.name ?? each.signer.name,
      demandedBy: by?.path ?? null,
      statement,
    }
  })
}

/** Runs `read` on the text of a file of signatures, and adds the path to its error. @throws {SignatureFormatError} */
export function namingFile<Read>(path: string, read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SignatureFormatError)) throw error
    throw new SignatureFormatError(error.place, error.problem, path)
  }
}

/** Returns the lines about a signature, indented by two blanks. */
export function describeSignature({ key, name, demandedBy, statement }: ReportedSignature): string {
  const { signedAt, verdict, notJudged, executed, madeWith, verifiedWith } = statement
  const gaps = notJudged.length === 0 ? '' : `, used, and not judged: ${notJudged.join(', ')}`
  const who = name === null ? key : `${JSON.stringify(name)}, ${key}`
  const by =
    demandedBy === null
      ? 'not demanded with --signer: anyone can make such a key'
      : `demanded with ${demandedBy}`
  return [
    `  signed by ${who} (${by})`,
    `    ${signedAt}: ${verdict.replaceAll('-', ' ')}${gaps}, ${executed ? 'executed again' : 'not executed'}; verified with ${programsOf(verifiedWith)}`,
    `    made with ${programsOf(madeWith)}, ${madeWith.anvil}`,
    // The signer chooses these texts, and could forge the line of another signature with a line break.
  ]
    .map((line) => line.replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, ' '))
    .join('\n')
}

const DIGITS = 12

function programsOf({
  plumbline,
  node,
  catalogueSha256,
  contractsSha256,
}: Predicate['verifiedWith']): string {
  const catalogue = catalogueSha256 === null ? 'unknown' : catalogueSha256.slice(0, DIGITS)
  return `Plumbline ${plumbline}, Node ${node}, catalogue ${catalogue}, contracts ${contractsSha256.slice(0, DIGITS)}`
}
