import { type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'
import { describeIssue } from '../../spec/issue.ts'
import { readJsonText } from '../../spec/json.ts'
import { checkShape } from '../../spec/shape.ts'
import { decodeBase64 } from './base64.ts'
import { SignatureFormatError } from './errors.ts'

/** The payload is a statement in the format of in-toto. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
/** Enough for hundreds of signatures. */
const BYTES_MAX = 1_048_576

const base64 = z.string().refine((text) => decodeBase64(text) !== null, 'must be base64')

/** An envelope of DSSE, which allows additional members. */
const envelopeSchema = z.looseObject({
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: base64,
  signatures: z.array(z.looseObject({ keyid: z.string().optional(), sig: base64 })).min(1),
})

export type Envelope = z.output<typeof envelopeSchema>
export type EnvelopeSignature = Envelope['signatures'][number]

/** Returns the bytes that are signed: the payload's type and the payload, each with its length in bytes (PAE of DSSE v1). */
export function preAuthEncoding(payloadType: string, payload: Buffer): Buffer {
  const type = Buffer.from(payloadType, 'utf8')
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${payload.length} `),
    payload,
  ])
}

export function payloadOf({ payload }: Envelope): Buffer {
  return Buffer.from(payload, 'base64')
}

/** Returns whether a signature of an envelope was made with the private half of a key. */
export function isSignedBy(envelope: Envelope, { sig }: EnvelopeSignature, key: KeyObject): boolean {
  const signed = preAuthEncoding(envelope.payloadType, payloadOf(envelope))
  return verify(null, signed, key, Buffer.from(sig, 'base64'))
}

/** Renders envelopes as a file with one on each line, the format of in-toto attestation bundles. */
export function renderEnvelopes(envelopes: readonly Envelope[]): string {
  return envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join('')
}

/**
 * Reads the envelopes of a file, one on each line or a single one in any layout, without checking their statements.
 *
 * @throws {SignatureFormatError} it holds anything else, or more than 1 MiB.
 */
export function parseEnvelopes(text: string): readonly Envelope[] {
  if (Buffer.byteLength(text) > BYTES_MAX)
    throw new SignatureFormatError('the file', `is larger than ${BYTES_MAX} bytes`)
  const single = readJsonText(text)
  if ('json' in single) return [envelopeOf(single.json, 'envelope 1')]
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) throw new SignatureFormatError('the file', 'is empty')
  return lines.map((line, index) => {
    const place = `envelope ${index + 1}`
    const read = readJsonText(line)
    if ('problem' in read) throw new SignatureFormatError(place, read.problem)
    return envelopeOf(read.json, place)
  })
}

function envelopeOf(json: unknown, place: string): Envelope {
  const shaped = checkShape(envelopeSchema, json)
  if ('data' in shaped) return shaped.data
  throw new SignatureFormatError(place, describeIssue(envelopeSchema, json, shaped.issue))
}
