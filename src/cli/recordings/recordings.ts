import { join } from 'node:path'
import { readForeignFolder, statForeign } from '../../host/foreignFile.ts'
import { type Ending, endingOfError, worstOf } from '../../runner/verdict/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { endWith } from '../terminal/ending.ts'
import { describeError, type Output, type Shown } from '../terminal/output.ts'
import { otherKind } from './fileKind.ts'

/** Where a run keeps the recordings of what it drew, inside of its directory. */
export const RECORDINGS = 'recordings'

/** Returns the recordings at these paths: a file, or every file of a directory. */
export function recordingFiles(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    if (!statForeign(path).isDirectory()) return [path]
    const files = jsonFiles(path).filter((file) => kindOf(file) === null)
    if (files.length === 0)
      throw new UsageError(`${path} holds no recording`, 'Give a file or a directory of them.')
    return files
  })
}

/** Returns the files of a folder that are left out, each with what it is. */
function leftOut(path: string): readonly string[] {
  if (!statForeign(path).isDirectory()) return []
  return jsonFiles(path).flatMap((file) => {
    const kind = kindOf(file)
    return kind === null ? [] : [`${file} is left out: it is ${kind}, and no recording`]
  })
}

function jsonFiles(folder: string): readonly string[] {
  return readForeignFolder(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
}

/** Returns what else than a recording a file of a folder says to be; null: nothing. What cannot be read is refused in its turn. */
function kindOf(file: string): string | null {
  try {
    return otherKind(file)
  } catch {
    return null
  }
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
      const files = recordingFiles([path])
      for (const line of leftOut(path)) output.err(line)
      for (const file of files)
        await attempt(file, async () => {
          endings.push(await judge(file))
        })
    })
  }
  return endings
}

/** What there is to say of a recording: plain data for `--json`, a text for people, and how it ended. */
export interface Said {
  readonly ending: Ending
  readonly json: object
  readonly text: string
}

/**
 * Says of every recording of some paths what `look` finds: with `--json` in a line of JSON each, with `--quiet` only where it does not
 * conform.
 *
 * @param refused what the line of a refused one holds in addition to its path and the reason.
 * @returns how each ended.
 */
export function sayOfEach(
  paths: readonly string[],
  { json = false, quiet = false }: Shown,
  output: Output,
  look: (file: string) => Promise<Said>,
  refused: object = {},
): Promise<readonly Ending[]> {
  const judge = async (file: string) => {
    const said = await look(file)
    if (json) output.out(JSON.stringify(said.json))
    else if (!quiet || said.ending !== 'conforms') output.out(said.text)
    return said.ending
  }
  return judgeEach(paths, output, judge, (path, message) => {
    if (json) output.out(JSON.stringify({ path, ...refused, refused: message }))
  })
}

/** Ends a command as the worst of its recordings, with that in its last line. */
export function endAsWorst(endings: readonly Ending[], options: Shown, output: Output): Ending {
  const worst = worstOf(endings)
  const line = worst === 'usage' ? 'no verdict: not every recording could be read' : undefined
  return endWith(worst, options, output, line)
}
