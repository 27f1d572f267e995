import { describeIssue, pointer, shortJson } from '../../spec/issue.ts'
import { membersOf, readJsonText } from '../../spec/json.ts'
import { checkShape } from '../../spec/shape.ts'
import { sorted } from './canonical.ts'
import { RecordingFormatError } from './errors.ts'
import { RECORDING_SCHEMA, type Recording, recordingSchema } from './schema.ts'
import { describeCut } from './truncation.ts'

/**
 * Renders a recording with one line for each entry and each blob, so that people can read it and diffs show the changed entries.
 * Equal recordings give equal bytes.
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

const CUT_ADVICE = 'Get the whole file again from its source. Without its end nothing of it is proven.'

/**
 * Reads a recording without checking its contents.
 *
 * @throws {RecordingFormatError} it is not JSON, cut off, of another schema, or not in the layout of `renderRecording`.
 */
export function parseRecording(text: string): Recording {
  const read = readJsonText(text)
  const cut = 'problem' in read ? describeCut(text) : null
  if (cut !== null) throw new RecordingFormatError('the end of the file', cut, CUT_ADVICE)
  if ('problem' in read) throw new RecordingFormatError('the file', `the file ${read.problem}`)
  const { json } = read
  const named = membersOf(json).schema
  if (typeof named === 'string' && named.split('/', 1)[0] !== RECORDING_SCHEMA.split('/', 1)[0])
    throw new RecordingFormatError(
      '/schema',
      `it is no recording: its schema is ${shortJson(named)}`,
      'Give a recording, as `--record` writes them; `plumbline diff` compares runs, and `plumbline report` renders one.',
    )
  if (typeof named === 'string' && named !== RECORDING_SCHEMA)
    throw new RecordingFormatError(
      '/schema',
      `schema is ${shortJson(named)}, and this version of Plumbline reads ${RECORDING_SCHEMA}`,
    )
  const shaped = checkShape(recordingSchema, json)
  if ('issue' in shaped) {
    const { issue } = shaped
    throw new RecordingFormatError(pointer(issue.path), describeIssue(recordingSchema, json, issue))
  }
  // Otherwise a duplicate member or an additional blank would go unnoticed.
  const place = firstDifference(text, renderRecording(shaped.data))
  if (place !== null) throw new RecordingFormatError(place, `${place} is not written as a recording is`)
  return shaped.data
}

function firstDifference(text: string, right: string): string | null {
  if (text === right) return null
  const lines = text.split('\n')
  const line = right.split('\n').findIndex((each, index) => each !== lines[index])
  return `line ${line + 1}`
}
