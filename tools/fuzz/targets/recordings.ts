import { renderRecording } from '../../../src/recordings/format/file.ts'
import { type Entry, type Recording, recordingSchema } from '../../../src/recordings/format/schema.ts'
import { seal } from '../../../src/recordings/record/sealed.ts'
import { ContradictionError } from '../../../src/recordings/verify/errors.ts'
import { summarizeRecording } from '../../../src/recordings/verify/summarizeRecording.ts'
import { verifyParsed } from '../../../src/recordings/verify/verifyRecording.ts'
import { readJsonText } from '../../../src/spec/json.ts'
import { assert, type Target } from '../target.ts'
import { assertRefusal } from './files.ts'
import { committed } from './formats.ts'

const PENDING = 'reports/golden/window.still-pending-at-end.json'
const RECORDED = 'reports/golden/attribution.two-transactions-one-build.json'

/**
 * Untrusted recordings. Text with the shape of a recording is sealed again, as a forger would do: a wrong seal would hide
 * everything behind it.
 */
export const recordingTarget = (): Target => ({
  bases: {
    plain: committed(PENDING),
    sealed: committed(PENDING),
    'sealed-recorded': committed(RECORDED),
  },
  words: [
    'plumbline-recording/3',
    'as-expected',
    'sha256:',
    `sha256:${'0'.repeat(64)}`,
    `0x${'00'.repeat(32)}`,
    'mined',
    '0x0',
  ],
  editsText: true,
  run: async (text, base) => {
    const written = laidOut(text, base.startsWith('sealed'))
    try {
      const { recording } = await summarizeRecording(written, { execute: false })
      await verifyParsed(recording, { execute: false })
    } catch (error) {
      if (error instanceof ContradictionError) {
        assert(error.field.length > 0 && error.problem.length > 0, 'a contradiction names no field')
        assert(Number.isInteger(error.entry), 'a contradiction names no entry')
      }
      assertRefusal(error, null)
    }
  },
})

/** Returns the text in the layout of a recording if it has that shape; otherwise unchanged. */
function laidOut(text: string, reseals: boolean): string {
  const read = readJsonText(text)
  if ('problem' in read) return text
  const parsed = recordingSchema.safeParse(read.json)
  if (!parsed.success) return text
  return renderRecording(reseals ? sealed(parsed.data) : parsed.data)
}

function sealed({ entries, blobs }: Recording): Recording {
  const drafts = entries.map(({ n: _n, sums: _sums, hash: _hash, ...entry }) => entry as Entry)
  return seal(drafts, blobs)
}
