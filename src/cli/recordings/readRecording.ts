import { readForeignFile } from '../../host/foreignFile.ts'
import { RecordingFormatError } from '../../recordings/format/errors.ts'
import { parseRecording } from '../../recordings/format/file.ts'
import type { Recording } from '../../recordings/format/schema.ts'
import { UsageError } from '../../spec/errors.ts'

/**
 * Reads a recording without verifying it.
 *
 * @throws {UsageError} the file is missing, or is not a complete recording of this version; the message names the file.
 */
export function readRecording(path: string): Recording {
  try {
    return parseRecording(readForeignFile(path))
  } catch (error) {
    if (!(error instanceof RecordingFormatError)) throw error
    throw new UsageError(`${path}: ${error.message}`, error.advice)
  }
}
