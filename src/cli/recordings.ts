import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Ending, endingOfError } from '../runner/verdict.ts'
import { UsageError } from '../spec/errors.ts'
import { describeError, type Output } from './output.ts'

/** Returns the recordings at these paths: a file, or every file of a directory. */
export function recordingFiles(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    if (!statOf(path).isDirectory()) return [path]
    const files = reading(path, () => readdirSync(path)).filter((file) => file.endsWith('.json'))
    if (files.length === 0)
      throw new UsageError(`${path} holds no recording`, 'Give a file or a directory of them.')
    return files.sort().map((file) => join(path, file))
  })
}

/** @throws {UsageError} there is no such file, or it cannot be read. */
export function readText(path: string): string {
  statOf(path)
  return reading(path, () => readFileSync(path, 'utf8'))
}

function statOf(path: string) {
  const stat = reading(path, () => statSync(path, { throwIfNoEntry: false }))
  if (stat === undefined) throw new UsageError(`there is no file ${path}`, 'Check its path.')
  return stat
}

function reading<Read>(path: string, read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${path} cannot be read: ${why}`, 'Give a file that this user may read.')
  }
}

/** Returns the last line of a command whose recordings end like this; undefined: the verdict alone. */
export function lastLine(ending: Ending): string | undefined {
  return ending === 'usage' ? 'no verdict: not every recording could be read' : undefined
}

/**
 * Judges every recording of some paths, each a file or a directory. What cannot be read is refused on the output, and ends
 * nothing but itself.
 *
 * @param refused gets the path and the message of each refusal.
 * @returns how each ended.
 */
export async function judgeEach(
  paths: readonly string[],
  output: Output,
  judge: (file: string) => Promise<Ending>,
  refused: (path: string, message: string) => void = () => {},
): Promise<readonly Ending[]> {
  const endings: Ending[] = []
  const attempt = async (path: string, act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      output.err(`${path}: REFUSED\n${describeError(error)}`)
      refused(path, error instanceof Error ? error.message : String(error))
      endings.push(endingOfError(error))
    }
  }
  for (const path of paths) {
    await attempt(path, async () => {
      for (const file of recordingFiles([path]))
        await attempt(file, async () => {
          endings.push(await judge(file))
        })
    })
  }
  return endings
}
