import type { z } from 'zod'
import { sorted } from './canonical.ts'
import { RecordingFormatError } from './errors.ts'
import { type Recording, recordingSchema } from './schema.ts'

/**
 * A recording as text: one line for each entry and each blob, so that a person can read it and a diff shows which entry
 * changed. Equal recordings give equal bytes.
 */
export function renderRecording({ schema, entries, blobs, trailer }: Recording): string {
  const blobLines = Object.entries(blobs).map(([key, value]) => `"${key}": ${JSON.stringify(sorted(value))}`)
  return [
    `{"schema": ${JSON.stringify(schema)},`,
    `"entries": [\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n],`,
    `"blobs": {\n${blobLines.join(',\n')}\n},`,
    `"trailer": ${JSON.stringify(trailer)}}\n`,
  ].join('\n')
}

/**
 * Reads a recording; what it says is not checked.
 *
 * @throws {RecordingFormatError} no JSON, not of this schema, or not in the one layout that a recording has.
 */
export function parseRecording(text: string): Recording {
  const parsed = recordingSchema.safeParse(jsonOf(text))
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as z.core.$ZodIssue
    throw new RecordingFormatError(issue.path.join('.') || 'the file', issue.message)
  }
  // One spelling only: a member that is written twice, or a blank more, would be read over otherwise.
  const place = firstDifference(text, renderRecording(parsed.data))
  if (place !== null) throw new RecordingFormatError(place, 'is not written as a recording is')
  return parsed.data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new RecordingFormatError('the file', error instanceof Error ? error.message : String(error))
  }
}

function firstDifference(text: string, right: string): string | null {
  if (text === right) return null
  const lines = text.split('\n')
  const line = right.split('\n').findIndex((each, index) => each !== lines[index])
  return `line ${line + 1}`
}
