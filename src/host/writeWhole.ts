import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { PlumblineError, UsageError } from '../spec/errors.ts'
import { withLock } from './lock.ts'
import { temporary } from './temporary.ts'

/** Never writes to an existing file: another process may have put a pipe into the staging folder, which would block. */
const NEW = { flag: 'wx' } as const
/** Error codes if something else has the name, such as a file instead of a folder. */
const IN_THE_WAY: ReadonlySet<string> = new Set(['EEXIST', 'ENOTDIR'])

/** A file or a folder cannot be written. */
export class NotWrittenError extends PlumblineError {
  override readonly name = 'NotWrittenError'
  readonly path: string
  /** The error code of the system, such as ENOSPC. */
  readonly code: string
  constructor(path: string, cause: unknown) {
    const { code = 'unknown', message = String(cause) } = cause as NodeJS.ErrnoException
    super(
      `${path} cannot be written: ${message}`,
      IN_THE_WAY.has(code)
        ? 'Something else has that name, or that of a folder above: name another folder.'
        : 'Free space there, or name a folder in which you may write. What was there before is unchanged.',
      { cause },
    )
    this.path = path
    this.code = code
  }
}

/**
 * Writes a file atomically, and creates its folder if it is missing. Readers see either the former file or the complete new one,
 * even if this process is killed or another one writes the same file concurrently.
 *
 * @throws {NotWrittenError} nothing is left of the new file.
 */
export function writeWhole(path: string, text: string | Uint8Array): void {
  withStagingFolder(dirname(path), path, (aside) => {
    writeFileSync(join(aside, 'whole'), text, NEW)
    renameSync(join(aside, 'whole'), path)
  })
}

/**
 * Writes a file as `writeWhole` does, unless it exists.
 *
 * @returns true if it was written.
 * @throws {NotWrittenError}
 */
export function writeNew(path: string, text: string): boolean {
  return withStagingFolder(dirname(path), path, (aside) => {
    writeFileSync(join(aside, 'whole'), text, NEW)
    return isNew(() => linkSync(join(aside, 'whole'), path))
  })
}

/**
 * Writes files that belong together into a folder, which is created if it is missing. If several processes write concurrently, all
 * of these files are from the last one. Other files in the folder are not touched.
 *
 * @param files texts by file name.
 * @param folders folders to move there, by name; null removes an existing one.
 * @param onWait called with a description of the holder if another process writes there for long.
 * @throws {NotWrittenError} without space or permission, or if another process does not finish, nothing has been changed.
 */
export async function writeTogether(
  directory: string,
  files: Readonly<Record<string, string>>,
  folders: Readonly<Record<string, string | null>> = {},
  onWait?: (text: string) => void,
): Promise<void> {
  const aside = makeStagingFolder(directory)
  const move = () => {
    for (const name of Object.keys(files)) renameSync(join(aside.path, name), join(directory, name))
    for (const [name, from] of Object.entries(folders)) {
      rmSync(join(directory, name), { recursive: true, force: true })
      if (from !== null) renameSync(from, join(directory, name))
    }
  }
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(aside.path, name), text, NEW)
    await withLock(directory, aside.path, move, onWait)
  } catch (cause) {
    throw new NotWrittenError(directory, cause)
  } finally {
    aside.remove()
  }
}

/**
 * Checks before a run that files can be written into a folder, and creates it if it is missing.
 *
 * @throws {UsageError} they cannot.
 */
export function checkFolder(directory: string): void {
  try {
    makeStagingFolder(directory).remove()
  } catch (error) {
    if (!(error instanceof NotWrittenError)) throw error
    throw new UsageError(error.message, error.advice)
  }
}

/** Creates a folder and its parents if they are missing. @throws {NotWrittenError} */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (cause) {
    throw new NotWrittenError(path, cause)
  }
}

/**
 * Creates a folder inside another one, for files that are moved to their place once they are complete. It does not outlive this
 * process.
 *
 * @throws {NotWrittenError}
 */
export function makeStagingFolder(directory: string): { readonly path: string; remove(): void } {
  makeFolder(directory)
  try {
    const path = resolve(mkdtempSync(join(directory, '.plumbline-')))
    return { path, remove: temporary(path) }
  } catch (cause) {
    throw new NotWrittenError(directory, cause)
  }
}

function withStagingFolder<T>(directory: string, written: string, write: (aside: string) => T): T {
  const aside = makeStagingFolder(directory)
  try {
    return write(aside.path)
  } catch (cause) {
    throw new NotWrittenError(written, cause)
  } finally {
    aside.remove()
  }
}

/** Calls `make`. @returns false if the name is taken. */
function isNew(make: () => void): boolean {
  try {
    make()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
