import { dirname, join } from 'node:path'
import type { z } from 'zod'
import { readForeignFile, statForeign, unlessMissing } from '../../host/foreignFile.ts'
import { type About, aboutSchema } from '../../reporting/report/about.ts'
import { RESULTS_SCHEMA, type Results, resultsSchema } from '../../reporting/results.ts'
import { UsageError } from '../../spec/errors.ts'
import { describeIssue, shortJson } from '../../spec/issue.ts'
import { membersOf, readJsonText } from '../../spec/json.ts'
import { checkShape } from '../../spec/shape.ts'
import { CommandError } from '../errors.ts'

export interface ReadRun {
  readonly directory: string
  readonly results: Results
  readonly about: About | null
}

/**
 * Reads a run from its directory, or from the path of its results.
 *
 * @throws {UsageError} there is no run, or the file is of another kind.
 * @throws {CommandError} a file is incomplete.
 */
export function readRun(path: string): ReadRun {
  const { directory, file } = placeOf(path)
  const results = readJson(file, resultsSchema, RESULTS_SCHEMA)
  if (results === null)
    throw new UsageError(
      `${path} holds no results.json`,
      'Name the directory of a run, such as reports/latest.',
    )
  return {
    directory,
    results,
    about: readJson(join(directory, 'about.json'), aboutSchema, null),
  }
}

/** Returns the directory of a run, and the path of its results. @throws {UsageError} the path does not exist. */
function placeOf(path: string): { readonly directory: string; readonly file: string } {
  const stat = unlessMissing(() => statForeign(path))
  if (stat === null)
    throw new UsageError(`there is no ${path}`, 'Name the directory of a run, such as reports/latest.')
  return stat.isDirectory()
    ? { directory: path, file: join(path, 'results.json') }
    : { directory: dirname(path), file: path }
}

/** Returns the content of a file; null: there is none. @param schema the schema that it must name; null: not checked. */
function readJson<Schema extends z.ZodType>(
  path: string,
  shape: Schema,
  schema: string | null,
): z.output<Schema> | null {
  const text = unlessMissing(() => readForeignFile(path))
  if (text === null) return null
  const read = readJsonText(text)
  if ('problem' in read) throw notWhole(path, `it ${read.problem}`)
  const content = read.json
  const named = membersOf(content).schema
  if (schema !== null && named !== schema) {
    const [kind] = schema.split('/')
    throw new UsageError(
      `${path} is not a ${schema} file; its schema is ${shortJson(named)}`,
      typeof named === 'string' && named.startsWith(`${kind}/`)
        ? 'Another version of Plumbline wrote it. Run the command again with this one.'
        : 'Give a file of the right kind.',
    )
  }
  const shaped = checkShape(shape, content)
  if ('data' in shaped) return shaped.data
  throw notWhole(path, describeIssue(shape, content, shaped.issue))
}

/** Inconclusive: an incomplete or inconsistent file says nothing about a target. */
function notWhole(path: string, problem: string): CommandError {
  const advice = 'Run the suite again: part of a result proves nothing.'
  return new CommandError(`${path} is not whole: ${problem}`, advice)
}
