import { type Envelope, parseEnvelopes, renderEnvelopes } from './envelope.ts'

const ENDING = '.intoto.jsonl'

/** Returns the path of a recording's file of signatures, which is next to it. */
export function signaturesOf(recordingPath: string): string {
  return `${recordingPath}${ENDING}`
}

/** Returns a file of signatures with one more envelope. @param text the existing file; null: there is none. */
export function withSignature(text: string | null, envelope: Envelope): string {
  return renderEnvelopes([...(text === null ? [] : parseEnvelopes(text)), envelope])
}
