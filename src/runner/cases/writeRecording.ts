import { join } from 'node:path'
import { writeWhole } from '../../host/writeWhole.ts'
import { type DraftOf, positioned } from '../../recordings/format/drafts.ts'
import { renderRecording } from '../../recordings/format/file.ts'
import type { Recording } from '../../recordings/format/schema.ts'

/**
 * Writes a recording into a directory under its script's name.
 *
 * @returns the path of the file.
 */
export function writeRecording(directory: string, recording: Recording): string {
  const [, { name }] = positioned(recording.entries, 'script')[0] as readonly [number, DraftOf<'script'>]
  const path = join(directory, `${name}.json`)
  writeWhole(path, renderRecording(recording))
  return path
}
