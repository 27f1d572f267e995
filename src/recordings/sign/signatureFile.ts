import { type Envelope, parseEnvelopes, renderEnvelopes } from './envelope.ts'

const ENDING = '.intoto.jsonl'

/** Where the signatures of a recording lie: next to it. */
export function signaturesOf(recordingPath: string): string {
  return `${recordingPath}${ENDING}`
}

/** The file of signatures with one more. @param text the file so far; null: there is none. */
export function withSignature(text: string | null, envelope: Envelope): string {
  return renderEnvelopes([...(text === null ? [] : parseEnvelopes(text)), envelope])
}

/** The file of signatures with a timestamp for one of them, in place of its former one. */
export function withTimestamp(
  text: string,
  [envelope, signature]: readonly [number, number],
  token: Buffer,
): string {
  const timestamp = token.toString('base64')
  return renderEnvelopes(
    parseEnvelopes(text).map((each, index) =>
      index === envelope
        ? {
            ...each,
            signatures: each.signatures.map((of, at) => (at === signature ? { ...of, timestamp } : of)),
          }
        : each,
    ),
  )
}
