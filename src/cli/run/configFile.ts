import type { z } from 'zod'
import { ForeignFileError, readForeignFile } from '../../host/foreignFile.ts'
import { didYouMean } from '../../runner/plan/suggest.ts'
import { UsageError } from '../../spec/errors.ts'
import { describeIssue } from '../../spec/issue.ts'
import { readJsonText } from '../../spec/json.ts'
import { allRequirements } from '../../spec/requirements/index.ts'
import { checkShape } from '../../spec/shape.ts'

/**
 * Reads a JSON file and checks its shape. For a mistyped word, the error suggests the most similar known one.
 *
 * @param shown an example of the file, with every allowed member and value; requirement ids may be left out.
 * @param options.holdsSecrets true if errors must not show any value.
 * @throws {UsageError} the file is missing, is not JSON, or has the wrong shape; the message names it.
 */
export function readConfigFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  shown: string,
  { holdsSecrets = false }: { readonly holdsSecrets?: boolean } = {},
): z.output<Schema> {
  let text: string
  try {
    text = readForeignFile(path)
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    throw new UsageError(`${path}: ${error.problem}`, 'Give the path of a file that you may read.')
  }
  const read = readJsonText(text)
  if ('problem' in read) throw new UsageError(`${path}: ${read.problem}`, `It must look like ${shown}`)
  const content = read.json
  const shaped = checkShape(schema, content)
  if ('data' in shaped) return shaped.data
  const { issue } = shaped
  const wrong = wrongWordOf(issue, content)
  const words = [...(shown.match(/[\w./-]+/g) ?? []), ...allRequirements().map(({ id }) => id)]
  throw new UsageError(
    `${path}: ${describeIssue(schema, content, issue, { secret: holdsSecrets })}`,
    `${wrong === null ? '' : didYouMean(wrong, words)}It must look like ${shown}`,
  )
}

/** Returns the word in the file that the issue is about. */
function wrongWordOf(issue: z.core.$ZodIssue, content: unknown): string | null {
  if (issue.code === 'unrecognized_keys') return issue.keys[0] ?? null
  let value: unknown = content
  for (const step of issue.path) value = (value as Record<PropertyKey, unknown> | undefined)?.[step]
  return typeof value === 'string' ? value : null
}
