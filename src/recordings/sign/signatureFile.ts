import { type Envelope, parseEnvelopes, renderEnvelopes } from './envelope.ts'

const ENDING = '.intoto.jsonl'

/** Where the signatures of a recording lie: next to it. */
export function signaturesOf(recordingPath: string): string {
  return `${recordingPath}${ENDING}`
}

/** Returns the file of signatures with one more. @param text the file so far; null: there is none. */
export function withSignature(text: string | null, envelope: Envelope): string {
  return renderEnvelopes([...(text === null ? [] : parseEnvelopes(text)), envelope])
}
