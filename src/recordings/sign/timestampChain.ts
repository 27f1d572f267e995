import { X509Certificate } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_kp_timeStamping,
} from '@peculiar/asn1-x509'
import { parsed } from './asn1.ts'
import { SignatureError, SigningKeyError } from './errors.ts'
import type { TimestampToken } from './timestampToken.ts'

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g
/** No real chain is longer. */
const CHAIN_MAX = 8

/**
 * The certificates of a file in PEM, all of which are trusted.
 *
 * @param path names the file in errors.
 * @throws {SigningKeyError} it holds none.
 */
export function readAuthorities(path: string, text: string): readonly X509Certificate[] {
  try {
    const found = [...text.matchAll(PEM)].map(([pem]) => new X509Certificate(pem))
    if (found.length > 0) return found
  } catch {
    // A certificate that cannot be parsed is none.
  }
  throw new SigningKeyError(path, 'holds no certificate', 'Give certificates in PEM: `BEGIN CERTIFICATE`.')
}

/**
 * Checks that the authority of a token may give timestamps, and that its certificate leads to a trusted one, all of them
 * valid at the time of the token.
 *
 * @throws {SignatureError} it is `untrusted` or `expired`.
 */
export function demandTrusted(token: TimestampToken, trusted: readonly X509Certificate[]): void {
  const { certificate, certificates, atMs } = token
  demandPurpose(certificate)
  const valid = (each: X509Certificate) => isValidAt(each, atMs)
  if (chain(certificate, certificates, trusted, valid) !== null) return
  const expired = chain(certificate, certificates, trusted, () => true)?.find((each) => !valid(each))
  const at = new Date(atMs).toISOString()
  if (expired !== undefined)
    throw new SignatureError(
      'expired',
      `the timestamp is of ${at}, and the certificate of ${nameOf(expired)} is valid from ${expired.validFrom} to ${expired.validTo}`,
      'The authority was not allowed to give it then. Get a timestamp from one whose certificates are valid.',
    )
  throw new SignatureError(
    'untrusted',
    `the timestamp is by ${nameOf(certificate)}, whose certificate leads to none of --timestamp-ca`,
    'Give the certificate of an authority that you trust and that leads to it, as PEM.',
  )
}

/** What a certificate calls its owner, in one line. */
export function nameOf({ subject }: X509Certificate): string {
  return subject === undefined ? 'an authority without a name' : subject.split('\n').join(', ')
}

/** RFC 3161 §2.3: the key is for timestamps, and for nothing else. */
function demandPurpose(certificate: X509Certificate): void {
  const extension = extensionOf(certificate, id_ce_extKeyUsage)
  const purposes = parsed('a certificate', () =>
    extension === undefined ? [] : [...AsnConvert.parse(extension.extnValue.buffer, ExtendedKeyUsage)],
  )
  if (extension?.critical === true && purposes.length === 1 && purposes[0] === id_kp_timeStamping) return
  throw new SignatureError(
    'untrusted',
    `the certificate of ${nameOf(certificate)} is not for timestamps alone`,
    'Get the timestamp from an authority for timestamps.',
  )
}

/** From a certificate to a trusted one, each issued by the next; null: there is no such way. */
function chain(
  from: X509Certificate,
  others: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
  isUsable: (certificate: X509Certificate) => boolean,
): readonly X509Certificate[] | null {
  const anchors = new Set(trusted.map(({ fingerprint256 }) => fingerprint256))
  // Each certificate is tried once: those of a token may all have issued each other.
  const tried = new Set<string>()
  const follow = (at: X509Certificate, below: number): readonly X509Certificate[] | null => {
    if (tried.has(at.fingerprint256) || !isUsable(at) || below > CHAIN_MAX) return null
    tried.add(at.fingerprint256)
    if (anchors.has(at.fingerprint256)) return [at]
    for (const issuer of [...trusted, ...others]) {
      if (tried.has(issuer.fingerprint256) || !hasIssued(issuer, at, below)) continue
      const rest = follow(issuer, below + 1)
      if (rest !== null) return [at, ...rest]
    }
    return null
  }
  return follow(from, 0)
}

/** @param below how many authorities are between the issuer and the certificate of the token. */
function hasIssued(issuer: X509Certificate, certificate: X509Certificate, below: number): boolean {
  if (!issuer.ca || !certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) return false
  const extension = extensionOf(issuer, id_ce_basicConstraints)
  if (extension === undefined) return false
  const { pathLenConstraint } = parsed('a certificate', () =>
    AsnConvert.parse(extension.extnValue.buffer, BasicConstraints),
  )
  return pathLenConstraint === undefined || pathLenConstraint >= below
}

function extensionOf({ raw }: X509Certificate, oid: string) {
  const { extensions } = parsed('a certificate', () => AsnConvert.parse(raw, Certificate).tbsCertificate)
  return extensions?.find(({ extnID }) => extnID === oid)
}

function isValidAt({ validFrom, validTo }: X509Certificate, atMs: number): boolean {
  return Date.parse(validFrom) <= atMs && atMs <= Date.parse(validTo)
}
