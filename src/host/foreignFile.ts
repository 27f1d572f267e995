import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { UsageError } from '../spec/errors.ts'

/** Default limit on the size of a file: no run of Plumbline leaves a larger one. */
const BYTES_MAX = 64 * 1_048_576
const CHUNK_BYTES = 1_048_576
/** Never blocks, even if the path is not a file after all. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

const MISSING = 'cannot be read (ENOENT)'

/** An untrusted file or folder cannot be read. */
export class ForeignFileError extends UsageError {
  override readonly name = 'ForeignFileError'
  readonly path: string
  /** The problem, as the end of a sentence: `cannot be read (ENOENT)`, `is not a regular file, but a named pipe`. */
  readonly problem: string
  readonly isMissing: boolean
  constructor(path: string, problem: string, advice: string, message = `${path} ${problem}`) {
    super(message, advice)
    this.path = path
    this.problem = problem
    this.isMissing = problem === MISSING
  }
}

/**
 * Returns the text of an untrusted UTF-8 file. Invalid bytes are refused, because other tools could decode them differently.
 *
 * @param bytesMax limit on its size.
 * @param larger advice on a larger file.
 * @throws {ForeignFileError} there is no such file, it cannot be read, or it is a pipe or a device, too large, or not UTF-8.
 */
export function readForeignFile(path: string, bytesMax = BYTES_MAX, larger = ''): string {
  // Opening a device may already have effects.
  checkFile(
    path,
    asked(path, () => statSync(path)),
  )
  const bytes = asked(path, () => {
    const file = openSync(path, AT_ONCE)
    try {
      // The path may lead to another file by now.
      checkFile(path, fstatSync(file))
      return readBytes(path, file, bytesMax, larger)
    } finally {
      closeSync(file)
    }
  })
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    const advice = 'Get the file again from its source: its bytes were changed.'
    throw new ForeignFileError(path, 'is not UTF-8', advice)
  }
}

/** Returns the sorted names in an untrusted folder. @throws {ForeignFileError} */
export function readForeignFolder(path: string, options: { readonly recursive?: boolean } = {}): string[] {
  return asked(path, () => readdirSync(path, { ...options, encoding: 'utf8' })).sort()
}

/** Returns the status of the file or folder at a path. @throws {ForeignFileError} it is missing or cannot be read. */
export function statForeign(path: string): Stats {
  return asked(path, () => statSync(path))
}

/** Returns the result of `read`, or null if the file or folder is missing. Rethrows other errors. */
export function unlessMissing<Read>(read: () => Read): Read | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof ForeignFileError && error.isMissing) return null
    throw error
  }
}

function checkFile(path: string, stat: Stats): void {
  if (stat.isFile()) return
  const problem = `is not a regular file, but ${kindOf(stat)}`
  throw new ForeignFileError(path, problem, 'Give a file, not a folder, a pipe or a device.')
}

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a folder'
  if (stat.isFIFO()) return 'a named pipe'
  if (stat.isSocket()) return 'a socket'
  return 'a device'
}

function readBytes(path: string, file: number, bytesMax: number, larger: string): Buffer {
  const { size } = fstatSync(file)
  const chunks: Buffer[] = []
  // The reported size may be wrong, and the file may grow meanwhile.
  for (let bytes = size; ; bytes = chunks.reduce((sum, { length }) => sum + length, 0)) {
    if (bytes > bytesMax) {
      const shown = `${bytes.toLocaleString('en')} bytes; at most ${bytesMax.toLocaleString('en')} are read`
      const advice = `No run of Plumbline leaves such a file.${larger}`
      throw new ForeignFileError(path, `has ${shown}`, advice)
    }
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size, 1_024)))
    const read = readSync(file, chunk)
    if (read === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, read))
  }
}

function asked<Answer>(path: string, ask: () => Answer): Answer {
  try {
    return ask()
  } catch (error) {
    if (error instanceof ForeignFileError) throw error
    const { code = 'unknown', message } = error as NodeJS.ErrnoException
    const problem = `cannot be read (${code})`
    if (problem === MISSING)
      throw new ForeignFileError(path, problem, 'Check its path.', `there is no file ${path}`)
    const advice = 'Give a file that this user may read.'
    throw new ForeignFileError(path, problem, advice, `${path} cannot be read: ${message}`)
  }
}
