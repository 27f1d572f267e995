import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { renderRecording } from '../recordings/format/file.ts'
import type { Recording } from '../recordings/format/schema.ts'
import { type DraftOf, positioned } from '../recordings/replay/drafts.ts'
import { writeWhole } from '../runner/writeWhole.ts'
import { UsageError } from '../spec/errors.ts'

/** The files that paths stand for: themselves, and of a directory every recording in it. */
export function recordingFiles(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    if (!statOf(path).isDirectory()) return [path]
    const files = readdirSync(path).filter((file) => file.endsWith('.json'))
    if (files.length === 0)
      throw new UsageError(`${path} holds no recording`, 'Give a file or a directory of them.')
    return files.sort().map((file) => join(path, file))
  })
}

/** @throws {UsageError} there is no such file. */
export function readText(path: string): string {
  statOf(path)
  return readFileSync(path, 'utf8')
}

/**
 * Writes a recording into a directory under its script's name.
 *
 * @returns the path of the file.
 */
export function writeRecording(directory: string, recording: Recording): string {
  mkdirSync(directory, { recursive: true })
  const [, { name }] = positioned(recording.entries, 'script')[0] as readonly [number, DraftOf<'script'>]
  const path = join(directory, `${name}.json`)
  writeWhole(path, renderRecording(recording))
  return path
}

function statOf(path: string) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) throw new UsageError(`there is no file ${path}`, 'Check the path of the recording.')
  return stat
}
