import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { PlumblineError, UsageError } from '../spec/errors.ts'
import { withLock } from './lock.ts'
import { temporary } from './temporary.ts'

/** Whoever sees the folder in which files wait may have put a pipe there, which would be written to for ever. */
const NEW = { flag: 'wx' } as const
/** What the system says where something of that name is in the way, such as a file where a folder is to be. */
const IN_THE_WAY: ReadonlySet<string> = new Set(['EEXIST', 'ENOTDIR'])

/** A file or a folder cannot be written. */
export class NotWrittenError extends PlumblineError {
  override readonly name = 'NotWrittenError'
  readonly path: string
  /** The system's name for the reason, such as ENOSPC. */
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
 * Writes a file, and the folder that it is in where that is missing. A reader meets the former file or the new one, whole,
 * however this process ends and whoever writes the same file at the same time.
 *
 * @throws {NotWrittenError} nothing is left of the new file then.
 */
export function writeWhole(path: string, text: string | Uint8Array): void {
  withStagingFolder(dirname(path), path, (aside) => {
    writeFileSync(join(aside, 'whole'), text, NEW)
    renameSync(join(aside, 'whole'), path)
  })
}

/**
 * Writes a file as `writeWhole` does, unless there is one of that name already.
 *
 * @returns whether it was written.
 * @throws {NotWrittenError}
 */
export function writeNew(path: string, text: string): boolean {
  return withStagingFolder(dirname(path), path, (aside) => {
    writeFileSync(join(aside, 'whole'), text, NEW)
    return isNew(() => linkSync(join(aside, 'whole'), path))
  })
}

/**
 * Writes files that belong together into a folder, which is made where it is missing. Of several writers at the same time
 * the last one leaves all of its files, and no other one any of these. Other files of the folder are left alone.
 *
 * @param files the texts by name
 * @param folders folders that are moved there, by name; null: what has that name is removed
 * @param onWait called where another process writes there for long, with what is waited for
 * @throws {NotWrittenError} nothing was changed if there is no space, no right to write, or another process that does not end.
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
 * Checks that files can be written into a folder, and makes it where it is missing: what is found out before a run costs no run.
 *
 * @throws {UsageError}
 */
export function checkFolder(directory: string): void {
  try {
    makeStagingFolder(directory).remove()
  } catch (error) {
    if (!(error instanceof NotWrittenError)) throw error
    throw new UsageError(error.message, error.advice)
  }
}

/** Makes a folder where it is missing, and those that it is in. @throws {NotWrittenError} */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (cause) {
    throw new NotWrittenError(path, cause)
  }
}

/**
 * Makes a folder inside of another one, for what is moved from there once it is whole. It does not outlive this process.
 *
 * @returns its path, and what removes it now.
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

/** Returns whether something was made whose name was free. */
function isNew(make: () => void): boolean {
  try {
    make()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
