import { createPublicKey, sign, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { plumblineVersion } from '../../host/version.ts'
import { parseRecording } from '../format/file.ts'
import { forged, goldenText } from '../testing/forge.ts'
import { checkSignatures, checkSignedVerdicts, checkSigners } from './checkSignatures.ts'
import { type Envelope, PAYLOAD_TYPE, parseEnvelopes, preAuthEncoding, renderEnvelopes } from './envelope.ts'
import { SignatureError, SignatureFormatError } from './errors.ts'
import { readPublicKeys } from './publicKeys.ts'
import { withSignature } from './signatureFile.ts'
import { type Signable, signRecording } from './signRecording.ts'
import { keyOf } from './testing/signers.ts'

const text = goldenText('window.still-pending-at-end')
const file = { text, recording: parseRecording(text) }
const signable: Signable = {
  ...file,
  name: 'run.json',
  verdict: 'conforms',
  executed: true,
  plumbline: '9.9.9',
}
const AT_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
const [alice, bob, mallory] = [keyOf('alice'), keyOf('bob'), keyOf('mallory')]
const byAlice = signRecording(signable, alice, 'Alice', AT_MS)
const FILE = renderEnvelopes([byAlice])

/** Checks a file of signatures, and returns the signers or the fault. */
function end(signatures: string, of = file, trusted = [alice.signer, bob.signer]): unknown {
  try {
    return checkSignatures(signatures, of, trusted).map(({ signer }) => signer.fingerprint)
  } catch (error) {
    if (error instanceof SignatureError) return error.fault
    if (error instanceof SignatureFormatError) return 'malformed'
    throw error
  }
}

const edited = (change: (envelope: Envelope) => unknown, envelope = byAlice): string => {
  const copy = structuredClone(envelope)
  change(copy)
  return renderEnvelopes([copy])
}
/** Returns the file with its first signature changed. */
const resigned = (change: (of: Envelope['signatures'][number], payload: Buffer) => unknown): string =>
  edited(({ signatures: [first], payload }) => first && change(first, Buffer.from(payload, 'base64')))
type Statement = Record<string, unknown> & { predicate: Record<string, unknown> }
/** Returns a file with the statement changed and signed again. */
const restated = (change: (statement: Statement) => unknown, by = alice): string => {
  const statement = JSON.parse(Buffer.from(byAlice.payload, 'base64').toString())
  change(statement)
  return renderEnvelopes([signedText(JSON.stringify(statement), by)])
}
function signedText(payloadText: string, by = alice, type = PAYLOAD_TYPE): Envelope {
  const payload = Buffer.from(payloadText)
  const sig = sign(null, preAuthEncoding(type, payload), by.privateKey).toString('base64')
  const signatures = [{ keyid: by.signer.fingerprint, sig }]
  return { payloadType: PAYLOAD_TYPE, payload: payload.toString('base64'), signatures }
}
/** Returns the next character of base64, which sets a bit beyond the last byte. */
const nextTo = ([character = '']: string) => String.fromCharCode((character.codePointAt(0) ?? 0) + 1)
const sigOf = ({ signatures: [first] }: Envelope) => first?.sig ?? ''
const urlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_')

test.each<[string, Record<string, unknown>]>([
  ['script', { script: 'another' }],
  ['seed', { seed: 2 }],
  ['number of entries', { entries: 3 }],
  ['schema', { schema: 'plumbline-recording/1' }],
])('a statement with another %s than the recording of its root is refused', (_what, said) => {
  const signatures = restated(({ predicate }) => {
    predicate.recording = { ...(predicate.recording as object), ...said }
  })
  expect(end(signatures)).toBe('other-recording')
})

test('a signed verdict is refused where verify gives another one with the same options', () => {
  const signed = [{ key: 'SHA256:alice', statement: { verdict: 'conforms', executed: true } }] as const
  expect(() => checkSignedVerdicts(signed, 'conforms', true)).not.toThrow()
  expect(() => checkSignedVerdicts(signed, 'does-not-conform', false)).not.toThrow()
  expect(() => checkSignedVerdicts(signed, 'does-not-conform', true)).toThrow(
    /SHA256:alice signed the verdict conforms, and verify comes to does-not-conform/,
  )
})

test('what is signed is encoded as the specification of DSSE does, whose example verifies', () => {
  const encoded = preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world'))
  expect(encoded.toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world')
  const coordinate = (decimal: string) =>
    Buffer.from(BigInt(decimal).toString(16).padStart(64, '0'), 'hex').toString('base64url')
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    x: coordinate('46950820868899156662930047687818585632848591499744589407958293238635476079160'),
    y: coordinate('5640078356564379163099075877009565129882514886557779369047442380624545832820'),
  }
  const key = { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' } as const
  const signature = 'A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA=='
  expect(verify('sha256', encoded, key, Buffer.from(signature, 'base64'))).toBe(true)
  // Lengths count bytes.
  expect(preAuthEncoding('é', Buffer.from('ü')).toString()).toBe('DSSEv1 2 é 2 ü')
})

test('a signature says of what, by whom, when, and with which versions', () => {
  const [signed] = checkSignatures(FILE, file)
  expect(signed?.signer).toMatchObject({ fingerprint: alice.signer.fingerprint, name: 'Alice' })
  expect(signed?.predicate).toMatchObject({
    recording: { root: file.recording.trailer.root, script: 'window.still-pending-at-end' },
    ...{ signedAt: '2026-01-02T03:04:05.006Z', verdict: 'conforms', notJudged: [], executed: true },
    madeWith: { plumbline: plumblineVersion(), anvil: 'anvil/v1.7.1' },
    verifiedWith: { plumbline: '9.9.9', node: process.version },
  })
})

describe('invalid signatures', () => {
  const bobs = { keyid: bob.signer.fingerprint, sig: sigOf(signRecording(signable, bob, null, AT_MS)) }
  const flipped = (base64: string) => `${base64[0] === 'A' ? 'B' : 'A'}${base64.slice(1)}`
  const other = forged(text, ({ entries }) => {
    entries[2].seed += 1
  })
  const otherFile = { text: other, recording: parseRecording(other) }
  test.each<[string, string, unknown]>([
    ['a changed signature', resigned((of) => Object.assign(of, { sig: flipped(of.sig) })), 'bad-signature'],
    [
      'a signature by another key',
      edited((of) => (of.signatures = [{ ...bobs, keyid: alice.signer.fingerprint }])),
      'bad-signature',
    ],
    [
      'one in the name of another',
      renderEnvelopes([signedText(Buffer.from(byAlice.payload, 'base64').toString(), mallory)]),
      'bad-signature',
    ],
    [
      'a changed payload',
      edited(
        (of) =>
          (of.payload = Buffer.from(
            Buffer.from(of.payload, 'base64').toString().replace('"conforms"', '"inconclusive"'),
          ).toString('base64')),
      ),
      'bad-signature',
    ],
    [
      'another payload type',
      edited((of) => ((of as { payloadType: string }).payloadType = 'application/json')),
      'malformed',
    ],
    [
      'a signature over another payload type',
      renderEnvelopes([signedText(Buffer.from(byAlice.payload, 'base64').toString(), alice, 'text/plain')]),
      'bad-signature',
    ],
    [
      'a signature over the payload alone',
      resigned((of, payload) =>
        Object.assign(of, { sig: sign(null, payload, alice.privateKey).toString('base64') }),
      ),
      'bad-signature',
    ],
    [
      'the key id of another',
      resigned((of) => Object.assign(of, { keyid: bob.signer.fingerprint })),
      'other-key-id',
    ],
    ['the key id of nobody', resigned((of) => Object.assign(of, { keyid: 'SHA256:nobody' })), 'other-key-id'],
    ['a second signature that is bad', edited((of) => of.signatures.push(bobs)), 'bad-signature'],
    [
      'a second envelope that is bad',
      FILE + resigned((of) => Object.assign(of, { sig: flipped(of.sig) })),
      'bad-signature',
    ],
    ['no signature', edited((of) => (of.signatures = [])), 'malformed'],
    [
      'a statement of another kind',
      restated((of) => (of.predicateType = 'https://slsa.dev/provenance/v1')),
      'malformed',
    ],
    [
      'a statement of two files',
      restated((of) => (of.subject as unknown[]).push((of.subject as unknown[])[0])),
      'malformed',
    ],
    [
      'another digest of the file',
      restated((of) => (of.subject = [{ name: 'run.json', digest: { sha256: '0'.repeat(64) } }])),
      'other-recording',
    ],
    [
      'another root',
      restated(({ predicate }) => ((predicate.recording as { root: string }).root = '0'.repeat(64))),
      'other-recording',
    ],
    [
      'a member twice',
      renderEnvelopes([
        signedText(
          Buffer.from(byAlice.payload, 'base64').toString().replace('{"_type"', '{"_type":"x","_type"'),
        ),
      ]),
      'malformed',
    ],
    ['a payload that is no JSON', renderEnvelopes([signedText('hello')]), 'malformed'],
    [
      'bytes that are no text',
      renderEnvelopes([{ ...byAlice, payload: Buffer.from([0xff]).toString('base64') }]),
      'malformed',
    ],
    [
      'a key in the statement that is none',
      restated(({ predicate }) => (predicate.signer = { key: 'ssh-ed25519 AAAA', name: null })),
      'malformed',
    ],
    ['blanks in base64', edited((of) => (of.payload = ` ${of.payload}`)), 'malformed'],
    [
      'bits beyond the last byte',
      resigned((of) => Object.assign(of, { sig: of.sig.replace(/.==$/, (end) => `${nextTo(end)}==`) })),
      'malformed',
    ],
    ['both alphabets', edited((of) => (of.payload = `+-${of.payload}`)), 'malformed'],
    ['an empty file', '', 'malformed'],
    ['a file that is no JSON', 'hello\n', 'malformed'],
    ['half an envelope', FILE.slice(0, FILE.length / 2), 'malformed'],
    ['a huge file', renderEnvelopes(Array.from({ length: 1000 }, () => byAlice)), 'malformed'],
  ])('%s', (_what, signatures, expected) => {
    expect(end(signatures)).toBe(expected)
  })

  test('one of a recording that was changed and sealed again', () => {
    expect(end(FILE, otherFile)).toBe('other-recording')
    expect(end(renderEnvelopes([signRecording({ ...signable, ...otherFile }, alice, null, AT_MS)]))).toBe(
      'other-recording',
    )
  })
})

test('base64 is read in the alphabets and with the padding that DSSE takes', () => {
  const bare = edited((of) => {
    of.payload = urlSafe(of.payload).replace(/=+$/, '')
    for (const each of of.signatures) each.sig = urlSafe(each.sig).replace(/=+$/, '')
  })
  expect(bare).not.toBe(FILE)
  expect(end(bare)).toEqual([alice.signer.fingerprint])
  expect(end(JSON.stringify(byAlice, null, 2))).toEqual([alice.signer.fingerprint])
})

describe('several signers', () => {
  const both = withSignature(FILE, signRecording(signable, bob, null, AT_MS))
  const demandOf = (...names: readonly string[]) =>
    names.map((name) => ({ path: `${name}.pub`, keys: readPublicKeys(name, keyOf(name).signer.ssh) }))

  test('each in a separate envelope, and each demanded', () => {
    expect(parseEnvelopes(both)).toHaveLength(2)
    const signed = checkSignatures(both, file)
    const found = checkSigners(signed, demandOf('bob', 'alice'))
    expect(found.map(({ signed: each }) => each.signer.ssh)).toEqual([bob.signer.ssh, alice.signer.ssh])
    expect(() => checkSigners(signed, demandOf('alice', 'mallory'))).toThrow(
      /not signed by the key of mallory\.pub/,
    )
    expect(() => checkSigners([], demandOf('alice'))).toThrow(/it is signed by nobody/)
  })

  test('one of each file, and no key for two files', () => {
    const signed = checkSignatures(both, file)
    const files = (...held: (readonly (typeof alice)[])[]) =>
      held.map((keys, index) => ({ path: `${index}.pub`, keys: keys.map(({ signer }) => signer) }))
    const found = checkSigners(signed, files([alice, bob], [alice]))
    expect(found.map(({ signed: each }) => each.signer.ssh)).toEqual([bob.signer.ssh, alice.signer.ssh])
    expect(() => checkSigners(signed, files([alice], [alice]))).toThrow(/0\.pub, 1\.pub hold keys of fewer/)
    expect(() => checkSigners(signed, files([alice, bob], [bob, mallory], [alice]))).toThrow(/of fewer/)
  })

  test('in one envelope, as other tools write it', () => {
    const payload = Buffer.from(byAlice.payload, 'base64').toString()
    const shared = edited((of) => of.signatures.push(...signedText(payload, bob).signatures))
    expect(end(shared)).toEqual([alice.signer.fingerprint, bob.signer.fingerprint])
    // A signature by an unknown key is ignored.
    expect(end(shared, file, [alice.signer])).toEqual([alice.signer.fingerprint])
    expect(() => checkSigners(checkSignatures(shared, file), demandOf('bob'))).toThrow(
      /not signed by the key of bob/,
    )
  })
})
