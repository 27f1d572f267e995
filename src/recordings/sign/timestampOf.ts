import type { X509Certificate } from 'node:crypto'
import type { Signed } from './checkSignatures.ts'
import { SignatureError } from './errors.ts'
import { demandTrusted, nameOf } from './timestampChain.ts'
import { readTimestamp } from './timestampToken.ts'

/** How far the clocks of a signer and of an authority may be apart. */
const SKEW_MS = 300_000

/** Since when a signature exists, by somebody who is trusted with it. */
export interface Timestamp {
  readonly atMs: number
  /** What the authority's certificate calls it. */
  readonly authority: string
}

/**
 * Checks a timestamp of a signature.
 *
 * @param token a response or a token in DER; null: there is none.
 * @param trusted certificates of authorities.
 * @throws {SignatureError} it is missing, over something else, altered, by an authority that is not trusted or whose
 *   certificates were not valid then, or older than the signer says that the signature is.
 * @throws {TimestampFormatError} it cannot be read.
 */
export function timestampOf(
  { signer, signature, predicate, isAuthor }: Signed,
  token: Buffer | null,
  trusted: readonly X509Certificate[],
): Timestamp {
  if (token === null)
    throw new SignatureError(
      'missing',
      `the signature by ${signer.fingerprint} has no timestamp`,
      'Get one with `plumbline sign --timestamp-query`, and add it with `plumbline sign --timestamp`.',
    )
  const read = readTimestamp(token, signature, trusted)
  demandTrusted(read, trusted)
  const authority = nameOf(read.certificate)
  if (isAuthor && Date.parse(predicate.signedAt) > read.atMs + SKEW_MS)
    throw new SignatureError(
      'too-early',
      `the signature by ${signer.fingerprint} says to be of ${predicate.signedAt}, and its timestamp by ${authority} is of ${new Date(read.atMs).toISOString()}`,
      "The signer's clock was wrong. Sign the recording again with the right time, and get a new timestamp.",
    )
  return { atMs: read.atMs, authority }
}
