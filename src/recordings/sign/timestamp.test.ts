import type { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseRecording } from '../format/file.ts'
import { checkSignatures, type Signed } from './checkSignatures.ts'
import { SignatureError, SigningKeyError, TimestampFormatError } from './errors.ts'
import { SIGNED_FILE, signingFixtures, type TimestampName } from './testing/signers.ts'
import { demandTrusted, readAuthorities } from './timestampChain.ts'
import { timestampOf } from './timestampOf.ts'
import { readTimestamp, timestampQuery } from './timestampToken.ts'

const { signatures, authorities, timestamps } = signingFixtures()
const text = readFileSync(SIGNED_FILE, 'utf8')
const [alice, bob] = checkSignatures(signatures, { text, recording: parseRecording(text) }) as [
  Signed,
  Signed,
]
const ROOT = readAuthorities('root.pem', authorities.root)
const STRANGER = readAuthorities('stranger.pem', authorities.stranger)
const tokenOf = (name: TimestampName) => Buffer.from(timestamps[name], 'base64')
const RSA = tokenOf('rsa')
/** What comes before the content: its type, and that it is an octet string in a field of its own. */
const CONTENT = Buffer.from('060b2a864886f70d0109100104a0760474', 'hex')
const CONTENT_BYTES = 0x74
const SIGNATURE_BYTES = 256
/** Every so many bytes one is tried: each takes a check of RSA. */
const STRIDE = 3

function end(token: Buffer | null, trusted = ROOT, of = alice): string {
  try {
    const { atMs, authority } = timestampOf(of, token, trusted)
    return `${new Date(atMs).toISOString()} ${authority}`
  } catch (error) {
    if (error instanceof SignatureError) return error.fault
    if (error instanceof TimestampFormatError) return `unread: ${error.message}`
    throw error
  }
}

test.each<[TimestampName, string]>([
  ['rsa', 'CN=rsa of a test'],
  ['token', 'CN=rsa of a test'],
  ['ec', 'CN=ec of a test'],
  ['chain', 'CN=ec of a test'],
])('%s: a timestamp of OpenSSL proves when the signature existed', (name, authority) => {
  expect(end(tokenOf(name))).toMatch(new RegExp(`^2026-11-23T\\d\\d:\\d\\d:\\d\\d\\.000Z ${authority}$`))
})

test('a token that names its whole chain is by the first that it names, in whatever order the certificates came', () => {
  const token = tokenOf('chain')
  const raws = readTimestamp(token, alice.signature, []).certificates.map(({ raw }) => raw)
  expect(raws).toHaveLength(3)
  const at = token.indexOf(Buffer.concat(raws))
  expect(at).toBeGreaterThan(0)
  const turned = Buffer.from(token)
  Buffer.concat([...raws].reverse()).copy(turned, at)
  expect(end(turned)).toContain('CN=ec of a test')
  expect(end(turned, STRANGER)).toBe('untrusted')
})

test.each<[TimestampName, string]>([
  ['other', 'other-signature'],
  ['expired', 'expired'],
  ['bare', 'untrusted'],
  ['short', 'untrusted'],
])('%s: %s', (name, fault) => {
  expect(end(tokenOf(name))).toBe(fault)
})

test('a refusal of the authority is none', () => {
  expect(end(tokenOf('refused'))).toBe(
    'unread: no timestamp that can be read: the authority gave none, with status 2',
  )
})

test('the authority must lead to one that is trusted', () => {
  expect(end(RSA, STRANGER)).toBe('untrusted')
  expect(end(RSA, [...STRANGER, ...ROOT])).toContain('CN=rsa')
})

test('a certificate that did not come along may be in the file of authorities, and may be trusted itself', () => {
  const { certificate } = readTimestamp(RSA, alice.signature, [])
  expect(end(tokenOf('bare'), [...ROOT, certificate])).toContain('CN=rsa')
  expect(end(RSA, [certificate])).toContain('CN=rsa')
})

test('a certificate that is not for timestamps proves nothing', () => {
  const token = readTimestamp(RSA, alice.signature, [])
  expect(() => demandTrusted({ ...token, certificate: ROOT[0] as X509Certificate }, ROOT)).toThrow(
    /is not for timestamps alone/,
  )
})

test('a signature cannot be younger than its timestamp', () => {
  expect(end(tokenOf('late'), ROOT, bob)).toBe('too-early')
  expect(end(RSA, ROOT, bob)).toBe('other-signature')
})

test('a signature without one is named', () => {
  expect(end(null)).toBe('missing')
})

describe('a changed timestamp', () => {
  test('is refused, or says the same: whichever byte was changed', () => {
    const genuine = end(RSA)
    const unnoticed: number[] = []
    for (let at = 0; at < RSA.length; at += STRIDE) {
      const changed = Buffer.from(RSA)
      changed[at] = (changed[at] ?? 0) ^ 0x01
      const ended = end(changed)
      if (!ended.startsWith('20')) continue
      expect(ended).toBe(genuine)
      unnoticed.push(at)
    }
    // Bits of the encoding around it, which the parser does not look at.
    expect(unnoticed.length).toBeLessThan(RSA.length / STRIDE / 10)
    expect(RSA.indexOf(CONTENT)).toBeGreaterThan(0)
    const content = RSA.indexOf(CONTENT) + CONTENT.length
    const signature = RSA.length - SIGNATURE_BYTES
    expect(
      unnoticed.filter((at) => (at >= content && at < content + CONTENT_BYTES) || at >= signature),
    ).toEqual([])
  }, 120_000)

  test('is refused when it is cut off, or nothing', () => {
    for (const length of [0, 1, 20, 300, RSA.length - 1])
      expect(end(RSA.subarray(0, length))).toContain('unread')
  })
})

test('a query is what OpenSSL reads: version 1, SHA-256 of the signature, certificates wanted', () => {
  const hex = timestampQuery(Buffer.from('abc')).toString('hex')
  expect(hex).toBe(
    '30390201013031300d060960864801650304020105000420ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad0101ff',
  )
})

test('a file without certificates is no file of authorities', () => {
  expect(() => readAuthorities('ca.pem', 'hello')).toThrow(SigningKeyError)
  expect(() =>
    readAuthorities('ca.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'),
  ).toThrow(SigningKeyError)
})
