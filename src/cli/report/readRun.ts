import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { z } from 'zod'
import { headlineOf } from '../../reporting/baselineText.ts'
import { PROOF_SCHEMA, type Proof, proofSchema } from '../../reporting/proof.ts'
import { type About, aboutSchema } from '../../reporting/report/about.ts'
import { type PastRun, pastResultsSchema } from '../../reporting/report/history.ts'
import { RATIOS_SCHEMA, type Ratios, ratiosSchema } from '../../reporting/report/ratios.ts'
import { RESULTS_SCHEMA, type Results, resultsSchema } from '../../reporting/results.ts'
import { PlumblineError, UsageError } from '../../spec/errors.ts'
import { describeIssue, shortJson } from '../../spec/issue.ts'
import { readJsonText } from '../../spec/json.ts'

/** A file of a run is not whole: it was cut off, or its end does not add up. It says nothing about a target. */
class IncompleteFileError extends PlumblineError {
  override readonly name = 'IncompleteFileError'
  readonly path: string
  constructor(path: string, problem: string) {
    super(`${path} is not whole: ${problem}`, 'Run the suite again: part of a result proves nothing.')
    this.path = path
  }
}

/** What a run left in its directory. */
export interface ReadRun {
  readonly directory: string
  readonly results: Results
  readonly about: About | null
}

/**
 * Reads a run: its directory, or the path of its results.
 *
 * @throws {UsageError} there is none, or it is something else.
 * @throws {IncompleteFileError} a file of it was cut off.
 */
export function readRun(path: string): ReadRun {
  const { directory, file } = placeOf(path)
  return {
    directory,
    results: demandedResults(readJson(file, resultsSchema, RESULTS_SCHEMA), path),
    about: readJson(join(directory, 'about.json'), aboutSchema, null),
  }
}

/**
 * Reads what a history needs of a run, of this version or another.
 *
 * @throws {UsageError} there is no run.
 * @throws {IncompleteFileError} a file of it was cut off, or is of another kind.
 */
export function readPastRun(path: string): PastRun {
  const { directory, file } = placeOf(path)
  const { target, seed, profile, verdict, baseline, requirements } = demandedResults(
    readJson(file, pastResultsSchema, null),
    path,
  )
  const about = readJson(join(directory, 'about.json'), aboutSchema, null)
  return {
    name: path,
    ...{ target, seed, profile, verdict, requirements },
    headline: headlineOf({ verdict, baseline }),
    endedAt: about?.endedAt ?? null,
    version: about?.versions.find(({ name }) => name === 'Plumbline')?.value ?? null,
    specification: about?.specification ?? null,
  }
}

/** The directory of a run, and its results in it. @throws {UsageError} */
function placeOf(path: string): { readonly directory: string; readonly file: string } {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined)
    throw new UsageError(`there is no ${path}`, 'Name the directory of a run, such as reports/latest.')
  return stat.isDirectory()
    ? { directory: path, file: join(path, 'results.json') }
    : { directory: dirname(path), file: path }
}

/** @throws {UsageError} */
function demandedResults<Content>(results: Content | null, path: string): Content {
  if (results !== null) return results
  throw new UsageError(
    `${path} holds no results.json`,
    'Name the directory of a run, such as reports/latest.',
  )
}

/**
 * Reads the ratios and curves that `npm run bench` wrote.
 *
 * @throws {UsageError} there is no such file.
 * @throws {IncompleteFileError} it was cut off.
 */
export function readRatios(path: string): Omit<Ratios, 'schema'> {
  return demanded(readJson(path, ratiosSchema, RATIOS_SCHEMA), path, 'npm run bench')
}

/**
 * Reads the kill matrix that `plumbline prove` wrote.
 *
 * @throws {UsageError} there is no such file, or an earlier version wrote it.
 * @throws {IncompleteFileError} it was cut off.
 */
export function readMatrix(path: string): Proof {
  return demanded(readJson(path, proofSchema, PROOF_SCHEMA), path, 'plumbline prove')
}

function demanded<Content>(content: Content | null, path: string, command: string): Content {
  if (content === null) throw new UsageError(`there is no ${path}`, `Write it with \`${command}\`.`)
  return content
}

/** A file's content; null when there is none. `schema`: what it calls itself, where another kind is likely to be named. */
function readJson<Schema extends z.ZodType>(
  path: string,
  shape: Schema,
  schema: string | null,
): z.output<Schema> | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return null
  const read = readJsonText(readFileSync(path, 'utf8'))
  if ('problem' in read) throw new IncompleteFileError(path, `it ${read.problem}`)
  const content = read.json
  const named = typeof content === 'object' && content !== null ? Reflect.get(content, 'schema') : undefined
  if (schema !== null && named !== schema) {
    const [kind] = schema.split('/')
    throw new UsageError(
      `${path} is not a ${schema} file; its schema is ${shortJson(named)}`,
      typeof named === 'string' && named.startsWith(`${kind}/`)
        ? 'Another version of Plumbline wrote it. Run the command again with this one.'
        : 'Give a file of the right kind.',
    )
  }
  const parsed = shape.safeParse(content)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues as [z.core.$ZodIssue]
  throw new IncompleteFileError(path, describeIssue(shape, content, issue))
}
