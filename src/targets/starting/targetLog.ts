import { createWriteStream, rmSync, type WriteStream } from 'node:fs'
import { openToAppend } from '../../host/appendFile.ts'

/** Maximum size of the log, over all starts of a target: it may print for as long as the run takes. */
const BYTES_MAX = 64 * 1_048_576

/** A file for the output of a target. */
export interface TargetLog {
  write(text: string): void
  /** Writes the last output, and closes the file. */
  end(last: string): Promise<void>
}

/**
 * Opens the log of a target. Output beyond the limit is left out, as the last line says.
 *
 * @param again true: the target was started before, and its log is continued. Otherwise it is a new file: another run that
 * writes to one of the same name keeps its own.
 */
export function openTargetLog(path: string, again: boolean, bytesMax = BYTES_MAX): TargetLog {
  const { stream, bytes } = opened(path, again)
  // A full disk costs the log; it is reported when the results are written.
  stream?.on('error', () => {})
  let left = bytesMax - bytes
  const write = (text: string): void => {
    if (left <= 0) return
    const more = Buffer.from(text)
    left -= more.length
    stream?.write(left > 0 ? more : more.subarray(0, left + more.length))
    if (left <= 0) stream?.write(`\n… at most ${bytesMax.toLocaleString('en')} bytes are kept\n`)
  }
  return {
    write,
    end: (last) => {
      write(last)
      return new Promise((resolve) => {
        if (stream === null) resolve()
        else stream.end(() => resolve())
      })
    },
  }
}

/** Opens the file; null: the target put something else in its place, which costs the log. */
function opened(
  path: string,
  again: boolean,
): { readonly stream: WriteStream | null; readonly bytes: number } {
  try {
    if (!again) rmSync(path, { force: true })
    const { file, bytes } = openToAppend(path)
    return { stream: createWriteStream(path, { fd: file }), bytes }
  } catch {
    return { stream: null, bytes: 0 }
  }
}
