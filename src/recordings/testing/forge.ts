import { readFileSync } from 'node:fs'
import type { DraftOf } from '../format/drafts.ts'
import { parseRecording, renderRecording } from '../format/file.ts'
import type { Entry, Recording } from '../format/schema.ts'
import { seal } from '../record/sealed.ts'

const texts = new Map<string, string>()
const parsed = new Map<string, Recording>()

/** Returns the text of a committed recording. */
export function goldenText(id: string): string {
  const known = texts.get(id)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`../../../reports/golden/${id}.json`, import.meta.url), 'utf8')
  texts.set(id, text)
  return text
}

// biome-ignore lint/suspicious/noExplicitAny: forgeries may have any shape.
export type Anything = any

/** Returns the text of a recording that was changed and sealed again. */
export function forged(text: string, change: (recording: Anything) => void): string {
  return renderRecording(forgedRecording(text, change))
}

/** Changes a recording and seals it again, with correct sums and hashes. */
export function forgedRecording(text: string, change: (recording: Anything) => void): Recording {
  const genuine = parsed.get(text) ?? parseRecording(text)
  parsed.set(text, genuine)
  const { entries, blobs } = structuredClone(genuine)
  const loose: Anything = { entries, blobs }
  change(loose)
  const drafts = loose.entries.map(({ n: _n, sums: _s, hash: _h, ...rest }: Entry & Anything) => rest)
  return seal(drafts, loose.blobs)
}

/** Returns the entries of one kind. */
export function all<Kind extends Entry['kind']>(
  recording: Pick<Recording, 'entries'>,
  kind: Kind,
): DraftOf<Kind>[] {
  return recording.entries.filter((entry) => entry.kind === kind) as unknown as DraftOf<Kind>[]
}
