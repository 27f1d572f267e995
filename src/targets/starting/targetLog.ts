import { createWriteStream, rmSync, statSync } from 'node:fs'

/** So much of what a target prints is kept, over all of its starts: it may print for as long as the run takes. */
const BYTES_MAX = 64 * 1_048_576

/** The file that gets what a target prints. */
export interface TargetLog {
  write(text: string): void
  /** Writes the last of it, and closes the file. */
  end(last: string): Promise<void>
}

/**
 * Opens the log of a target. What is beyond its bound is left out, which its last line says.
 *
 * @param again true: the target was started before, and its log goes on. Otherwise it is a new file: another run that writes to one of
 *   the same name keeps its own.
 */
export function openTargetLog(path: string, again: boolean, bytesMax = BYTES_MAX): TargetLog {
  if (!again) rmSync(path, { force: true })
  const file = createWriteStream(path, { flags: 'a' })
  // A full disk costs the log; that it is full is said when the results are written.
  file.on('error', () => {})
  let left = bytesMax - (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  const write = (text: string): void => {
    if (left <= 0) return
    const bytes = Buffer.from(text)
    left -= bytes.length
    file.write(left > 0 ? bytes : bytes.subarray(0, left + bytes.length))
    if (left <= 0) file.write(`\n… at most ${bytesMax.toLocaleString('en')} bytes are kept\n`)
  }
  return {
    write,
    end: (last) => {
      write(last)
      return new Promise((resolve) => {
        file.end(() => resolve())
      })
    },
  }
}
