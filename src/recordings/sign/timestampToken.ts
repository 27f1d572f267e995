import { createHash, type KeyObject, timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import { ContentInfo, SignedData, type SignerInfo } from '@peculiar/asn1-cms'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { MessageImprint, PKIStatus, TimeStampReq, TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { parsed } from './asn1.ts'
import { SignatureError, TimestampFormatError } from './errors.ts'

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const TST_INFO = '1.2.840.113549.1.9.16.1.4'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12'
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47'
const SHA256 = '2.16.840.1.101.3.4.2.1'
const HASHES: Readonly<Record<string, string>> = {
  [SHA256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}
/** By the algorithm of a signature: the hash that it fixes; null: it takes that of the digest. */
const SIGNATURES: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.1': null,
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
}
const SET_TAG = 0x31
/** Up to this length DER writes it in one byte. */
const SHORT_LENGTH_MAX = 0x7f

/** A token whose parts fit each other; whether its authority is trusted is not decided. */
export interface TimestampToken {
  readonly atMs: number
  /** The certificate whose key has signed it. */
  readonly certificate: X509Certificate
  /** All certificates that came with it. */
  readonly certificates: readonly X509Certificate[]
}

/** A request for a timestamp over some bytes, in DER, which asks for the authority's certificate as well. */
export function timestampQuery(data: Buffer): Buffer {
  const imprint = new MessageImprint({
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: SHA256, parameters: null }),
    hashedMessage: new OctetString(createHash('sha256').update(data).digest()),
  })
  return Buffer.from(AsnConvert.serialize(new TimeStampReq({ messageImprint: imprint, certReq: true })))
}

/**
 * Reads a timestamp: the response of an authority, or the token in it (RFC 3161).
 *
 * @param der as it came.
 * @param data what it must be over.
 * @param others certificates that it may leave out.
 * @throws {TimestampFormatError} it is none, or one of a kind that is not read.
 * @throws {SignatureError} it is over something else, or its signature does not hold.
 */
export function readTimestamp(der: Buffer, data: Buffer, others: readonly X509Certificate[]): TimestampToken {
  const signed = parsed('the token', () => AsnConvert.parse(contentOf(der), SignedData))
  const { eContentType, eContent } = signed.encapContentInfo
  const content = eContent?.single?.buffer
  if (eContentType !== TST_INFO || content === undefined)
    throw new TimestampFormatError(`it holds content of type ${eContentType}`)
  const info = parsed('the content', () => AsnConvert.parse(content, TSTInfo))
  demandImprint(info, data)
  const [signer, ...more] = signed.signerInfos
  if (signer === undefined || more.length > 0) throw new TimestampFormatError('it has not one signature')
  demandAttributes(signer, Buffer.from(content))
  const certificates = (signed.certificates ?? []).flatMap(({ certificate }) =>
    certificate === undefined
      ? []
      : [parsed('a certificate', () => new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))))],
  )
  const certificate = certificateOf(signer, [...certificates, ...others])
  demandSignature(signer, certificate)
  return { atMs: info.genTime.getTime(), certificate, certificates }
}

/** The signed data of a response or of a token alone. */
function contentOf(der: Buffer): ArrayBuffer {
  const { contentType, content } = parsed('the file', () => {
    const response = responseOf(der)
    if (response === null) return AsnConvert.parse(der, ContentInfo)
    const { status, timeStampToken } = response
    const isGranted = status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods
    if (!isGranted || timeStampToken === undefined)
      throw new TimestampFormatError(
        `the authority gave none, with status ${status.status}`,
        'Ask for it again, with the query of `plumbline sign --timestamp-query`.',
      )
    return timeStampToken
  })
  if (contentType !== SIGNED_DATA) throw new TimestampFormatError(`it is of type ${contentType}`)
  return content
}

function responseOf(der: Buffer): TimeStampResp | null {
  try {
    return AsnConvert.parse(der, TimeStampResp)
  } catch {
    return null
  }
}

function hashOf(oid: string): string {
  const hash = HASHES[oid]
  if (hash === undefined)
    throw new TimestampFormatError(
      `it uses the hash ${oid}`,
      'SHA-256, SHA-384 and SHA-512 are read: ask an authority that uses one of them.',
    )
  return hash
}

/** @throws {SignatureError} the token is over something else. */
function demandImprint({ messageImprint }: TSTInfo, data: Buffer): void {
  const hash = hashOf(messageImprint.hashAlgorithm.algorithm)
  if (isEqual(createHash(hash).update(data).digest(), messageImprint.hashedMessage)) return
  throw new SignatureError(
    'other-signature',
    'the timestamp is over something else than the signature',
    'Give the one that the authority made of the query of `plumbline sign --timestamp-query` for this file and this key.',
  )
}

/** @throws {SignatureError} what was signed is not the content. */
function demandAttributes(signer: SignerInfo, content: Buffer): void {
  const digest = createHash(hashOf(signer.digestAlgorithm.algorithm)).update(content).digest()
  const recorded = parsed('the digest', () =>
    AsnConvert.parse(attributeOf(signer, MESSAGE_DIGEST) ?? new ArrayBuffer(0), OctetString),
  )
  const type = attributeOf(signer, CONTENT_TYPE)
  // 06 0b, then the object identifier of TSTInfo.
  const isOfContent = type !== null && Buffer.from(type).toString('hex') === '060b2a864886f70d0109100104'
  if (!isOfContent || !isEqual(digest, recorded)) throw badToken('what was signed is not its content')
}

function attributeOf({ signedAttrs = [] }: SignerInfo, oid: string): ArrayBuffer | null {
  const found = signedAttrs.filter(({ attrType }) => attrType === oid)
  const [value, ...more] = found.flatMap(({ attrValues }) => attrValues)
  return more.length > 0 ? null : (value ?? null)
}

/**
 * The certificate of the authority, which the signed attributes name by its hash (RFC 2634, RFC 5035): no other one with the
 * same key can be put in its place. An authority may name its whole chain; its own certificate comes first.
 */
function certificateOf(signer: SignerInfo, certificates: readonly X509Certificate[]): X509Certificate {
  const named = (oid: string, hashes: readonly string[]) => {
    const value = Buffer.from(attributeOf(signer, oid) ?? new ArrayBuffer(0))
    const places = certificates.flatMap((certificate) =>
      hashes.map((hash) => ({
        certificate,
        at: value.indexOf(createHash(hash).update(certificate.raw).digest()),
      })),
    )
    const [first] = places.filter(({ at }) => at >= 0).sort((one, other) => one.at - other.at)
    return first?.certificate
  }
  const found = named(SIGNING_CERTIFICATE_V2, Object.values(HASHES)) ?? named(SIGNING_CERTIFICATE, ['sha1'])
  if (found !== undefined) return found
  throw new SignatureError(
    'untrusted',
    'the timestamp does not hold the certificate that it names',
    'Ask the authority to include it, as the query of `plumbline sign --timestamp-query` does, or add it to the file of --timestamp-ca.',
  )
}

/** @throws {SignatureError} the signature is not by the key of the certificate. */
function demandSignature(signer: SignerInfo, { publicKey }: X509Certificate): void {
  const { algorithm } = signer.signatureAlgorithm
  const fixed = SIGNATURES[algorithm]
  if (fixed === undefined)
    throw new TimestampFormatError(
      `it is signed with ${algorithm}`,
      'RSA (PKCS #1 v1.5) and ECDSA are read: ask an authority that uses one of them.',
    )
  const hash = hashOf(signer.digestAlgorithm.algorithm)
  if (!isSigned(fixed ?? hash, signedBytesOf(signer), publicKey, Buffer.from(signer.signature.buffer)))
    throw badToken('its signature does not hold')
}

/** The attributes as they are signed: a set in DER, which is another tag than they are written with (RFC 5652 §5.4). */
function signedBytesOf({ signedAttrs = [] }: SignerInfo): Buffer {
  const attributes = parsed('the attributes', () =>
    signedAttrs.map((each) => Buffer.from(AsnConvert.serialize(each))),
  )
  const content = Buffer.concat(attributes.sort(Buffer.compare))
  const digits = content.length.toString(16)
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const isShort = content.length <= SHORT_LENGTH_MAX
  const head = isShort ? [SET_TAG] : [SET_TAG, 0x80 | length.length]
  return Buffer.concat([Buffer.from(head), length, content])
}

function isSigned(hash: string, data: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify(hash, data, key, signature)
  } catch {
    // A key of another kind than the algorithm.
    return false
  }
}

function badToken(problem: string): SignatureError {
  return new SignatureError(
    'bad-token',
    `the timestamp does not hold: ${problem}`,
    'It was changed. Get it again from the authority.',
  )
}

function isEqual(one: Buffer, other: OctetString): boolean {
  const bytes = Buffer.from(other.buffer)
  return one.length === bytes.length && timingSafeEqual(one, bytes)
}
