import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ForeignFileError, readForeignFile, readForeignFolder, statForeign } from '../../host/foreignFile.ts'
import { type FiledScenario, parseScenarios, type Scenario, ScenarioFileError } from './scenarioFile.ts'

const ENDING = '.json'
const FOLDER = fileURLToPath(new URL('../../../scenarios/', import.meta.url))

/** Returns whether a word of the command line is a path to scenarios rather than the name of one. */
export function isScenarioPath(word: string): boolean {
  return word.endsWith(ENDING) || (statSync(word, { throwIfNoEntry: false })?.isDirectory() ?? false)
}

let named: readonly FiledScenario[] | undefined

/** Returns every scenario of this project, by id. */
export function namedScenarios(): readonly FiledScenario[] {
  named ??= readScenarios([FOLDER])
  return named
}

/**
 * Returns the scenarios of files and folders, by id. In a folder every `.json` file counts, however deep; its path, with dots,
 * is its id: `reorg/after-recorded.json` is `reorg.after-recorded`. The id of a single file is its name.
 *
 * @throws {ScenarioFileError} a path contains no scenario, a file is malformed, or an id occurs twice.
 */
export function readScenarios(paths: readonly string[]): readonly FiledScenario[] {
  const found = new Map<string, { readonly file: string; readonly scenario: Scenario }>()
  for (const { file, place } of paths.flatMap(filesOf)) {
    for (const scenario of parseScenarios(file, place, textOf(file))) {
      const other = found.get(scenario.id)
      if (other !== undefined) {
        const problem = `the id ${scenario.id} is taken by ${other.file}`
        throw new ScenarioFileError(file, problem, 'Rename one of them.')
      }
      found.set(scenario.id, { file, scenario })
    }
  }
  return [...found.values()]
    .map(({ scenario, file }) => ({ ...scenario, file }))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

interface Place {
  readonly file: string
  readonly place: string
}

function filesOf(path: string): readonly Place[] {
  if (!isFolder(path)) return [{ file: path, place: placeOf(path, basename(path)) }]
  const files = namesIn(path).map((name) => ({ file: join(path, name), place: placeOf(path, name) }))
  if (files.length > 0) return files
  throw new ScenarioFileError(path, 'the folder holds no .json file', 'Name a scenario file, or its folder.')
}

function namesIn(folder: string): readonly string[] {
  return readForeignFolder(folder, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith(ENDING))
}

function placeOf(path: string, name: string): string {
  const parts = name.slice(0, -ENDING.length).split('/')
  const odd = parts.find((part) => !/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(part))
  if (odd === undefined) return parts.join('.')
  const problem = `${JSON.stringify(odd)} cannot be part of an id`
  throw new ScenarioFileError(path, problem, 'Rename it to letters, digits, "-" and "_".')
}

function isFolder(path: string): boolean {
  try {
    return statForeign(path).isDirectory()
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

function textOf(file: string): string {
  try {
    return readForeignFile(file)
  } catch (cause) {
    throw unreadable(file, cause)
  }
}

/** Returns the error for a file that cannot be read. @throws any other cause. */
function unreadable(path: string, cause: unknown): ScenarioFileError {
  if (!(cause instanceof ForeignFileError)) throw cause
  const problem = `it ${cause.problem}`
  return new ScenarioFileError(path, problem, 'Check the path.', { cause })
}
