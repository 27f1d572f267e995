import { join } from 'node:path'
import { readForeignFile, readForeignFolder, statForeign } from '../../host/foreignFile.ts'
import { type Ending, endingOfError, worstOf } from '../../runner/verdict/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { endWith } from '../terminal/ending.ts'
import { describeError, type Output, type Shown } from '../terminal/output.ts'

const SCHEMA = /"schema"\s*:\s*"(plumbline-[a-z]+)\/\d+"/
/** The schema is named at the start of a file. */
const HEAD_CHARACTERS = 400

/** Kinds of files that Plumbline writes, other than recordings, by schema. */
const KINDS: Readonly<Record<string, string>> = {
  'plumbline-results': 'the results of a run',
  'plumbline-verdicts': 'the verdicts of a run',
  'plumbline-about': 'what a run says of itself',
  'plumbline-baseline': 'a baseline',
  'plumbline-capabilities': 'a declaration of capabilities',
  'plumbline-report': 'a report as JSON',
}

/** Folder of the recordings that a run has drawn, in its directory. */
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

/** Returns a line for each file of a folder that is left out, with its kind. */
function leftOut(path: string): readonly string[] {
  if (!statForeign(path).isDirectory()) return []
  return jsonFiles(path).flatMap((file) => {
    const kind = kindOf(file)
    return kind === null ? [] : [`${file} is left out: it is ${kind}, not a recording`]
  })
}

function jsonFiles(folder: string): readonly string[] {
  return readForeignFolder(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
}

/** Returns the kind of another Plumbline file; null: a recording, or an unknown file. A file that cannot be read is refused later. */
function kindOf(file: string): string | null {
  try {
    return KINDS[schemaIn(file) ?? ''] ?? null
  } catch {
    return null
  }
}

/** Returns whether a file names the schema of recordings, regardless of its file name. */
export function isRecording(path: string): boolean {
  return schemaIn(path) === 'plumbline-recording'
}

function schemaIn(path: string): string | null {
  if (statForeign(path).isDirectory()) return null
  return SCHEMA.exec(readForeignFile(path).slice(0, HEAD_CHARACTERS))?.[1] ?? null
}

/**
 * Judges every recording at some paths, each a file or a directory. A recording that cannot be read is reported as refused, and
 * the others are still judged.
 *
 * @param refused called with the path and the message of each refusal.
 * @returns the ending of each.
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

/** The result for a recording: its ending, plain data for `--json`, and text for people. */
export interface Said {
  readonly ending: Ending
  readonly json: object
  readonly text: string
}

/**
 * Prints the result of `look` for every recording at some paths: with `--json` as a line of JSON, with `--quiet` only if it is
 * not `conforms`.
 *
 * @param refused members of the JSON line of a refused recording, in addition to its path and the reason.
 * @returns the ending of each.
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

/** Ends a command with the worst ending of its recordings, and prints it as the last line. */
export function endAsWorst(endings: readonly Ending[], options: Shown, output: Output): Ending {
  const worst = worstOf(endings)
  const line = worst === 'usage' ? 'no verdict: not every recording could be read' : undefined
  return endWith(worst, options, output, line)
}
