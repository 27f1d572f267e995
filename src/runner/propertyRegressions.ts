import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PlumblineError } from '../spec/errors.ts'
import { isRequirementId } from '../spec/requirements/index.ts'
import type { Json } from './propertyShrink.ts'
import { writeWhole } from './writeWhole.ts'

const REGRESSION_SCHEMA = 'plumbline-regression/1'

const regressionSchema = z.strictObject({
  schema: z.literal(REGRESSION_SCHEMA),
  property: z.string(),
  requirement: z.string().refine(isRequirementId, 'no such requirement'),
  /** What was wrong when it was found. */
  expected: z.string(),
  seen: z.string(),
  /** Where it came from. The case runs without it. */
  seed: z.int(),
  case: z.json(),
})

/** A counterexample that was met once: run first ever after. */
export type Regression = z.output<typeof regressionSchema> & { readonly file: string }

/** A kept regression cannot be read. */
class RegressionFileError extends PlumblineError {
  override readonly name = 'RegressionFileError'
  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`, 'Fix the file, or remove it if its property no longer exists.')
  }
}

/**
 * The kept regressions of a directory, in the order of their names; none when there is no directory.
 *
 * @throws {RegressionFileError} a file is no regression.
 */
export function readRegressions(directory: string): readonly Regression[] {
  return namesIn(directory).map((file) => {
    const path = join(directory, file)
    let json: unknown
    try {
      json = JSON.parse(readFileSync(path, 'utf8'))
    } catch {
      throw new RegressionFileError(path, 'not JSON')
    }
    const parsed = regressionSchema.safeParse(json)
    if (parsed.success) return { ...parsed.data, file: path }
    const issue = parsed.error.issues[0]
    throw new RegressionFileError(path, `${issue?.path.join('.')}: ${issue?.message}`)
  })
}

/**
 * Keeps a counterexample as plain JSON. An equal one is kept once.
 *
 * @param known what is kept already, there or elsewhere: its files' names are not given again.
 * @returns the path of the file.
 */
export function writeRegression(
  directory: string,
  regression: Omit<Regression, 'schema' | 'file' | 'case'> & { readonly case: Json },
  known: readonly Regression[] = readRegressions(directory),
): string {
  const kept = known.filter(({ property }) => property === regression.property)
  const text = JSON.stringify(regression.case)
  const equal = kept.find((each) => JSON.stringify(each.case) === text)
  if (equal !== undefined) return equal.file
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `${regression.property}.${kept.length + 1}.json`)
  writeWhole(path, `${JSON.stringify({ schema: REGRESSION_SCHEMA, ...regression }, null, 2)}\n`)
  return path
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json'))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
