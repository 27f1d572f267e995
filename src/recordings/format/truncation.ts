import { readJsonText } from '../../spec/json.ts'
import { checkShape } from '../../spec/shape.ts'
import { RECORDING_SCHEMA, recordingSchema, type SealedEntry } from './schema.ts'
import { brokenSeal } from './seal.ts'

const ENTRIES = '"entries": ['
const END = '],'

/**
 * Describes in a sentence where the text of a recording was cut off, and how much of it is intact. Each entry is one line, so
 * everything up to the cut can be read.
 *
 * @returns null: it is not a recording, or its error is not a missing end.
 */
export function describeCut(text: string): string | null {
  const [schema, head, ...lines] = text.split('\n')
  const name = /^\{"schema": "([^"]*)",$/.exec(schema ?? '')?.[1]
  if (name !== RECORDING_SCHEMA || head !== ENTRIES) return null
  const end = lines.indexOf(END)
  const written = end < 0 ? lines : lines.slice(0, end)
  const entries = written.map((line) => entryOf(line))
  const gap = entries.indexOf(null)
  if (end < 0 ? gap >= 0 && gap < written.length - 1 : gap >= 0) return null
  const whole = entries.flatMap((entry) => (entry === null ? [] : [entry]))
  const last = whole.at(-1)
  const where =
    end < 0 ? (last === undefined ? 'before its first entry' : 'within its entries') : 'after its entries'
  if (last === undefined) return `the recording is cut off ${where}`
  const range = whole.length === 1 ? 'entry 0 is' : `entries 0 to ${whole.length - 1} are`
  const broken = brokenSeal(name, whole)
  const seal =
    broken === null
      ? 'their seal holds so far'
      : `their seal is broken at entry ${broken.entry}, ${broken.field}`
  return `the recording is cut off ${where}: ${range} whole, up to ${nameOf(last)}, and ${seal}`
}

function entryOf(line: string): SealedEntry | null {
  const read = readJsonText(line.replace(/,$/, ''))
  if ('problem' in read) return null
  const shaped = checkShape(recordingSchema.shape.entries.element, read.json)
  return 'data' in shaped ? shaped.data : null
}

function nameOf(entry: SealedEntry): string {
  if (entry.kind === 'http') return `request ${entry.id} (${entry.kind})`
  return entry.kind === 'step' ? `step ${entry.path} (${entry.kind})` : `one of kind ${entry.kind}`
}
