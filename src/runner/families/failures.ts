import { basename, join } from 'node:path'
import { z } from 'zod'
import { readForeignFile, readForeignFolder, unlessMissing } from '../../host/foreignFile.ts'
import { writeNew } from '../../host/writeWhole.ts'
import { describePrograms } from '../../recordings/record/environment.ts'
import { UsageError } from '../../spec/errors.ts'
import { describeIssue } from '../../spec/issue.ts'
import { readJsonText } from '../../spec/json.ts'
import { isRequirementId, type RequirementId } from '../../spec/requirements/index.ts'
import { checkShape } from '../../spec/shape.ts'
import type { Json } from './shrinkJson.ts'

const FAILURE_SCHEMA = 'plumbline-failure/1'

const requirementId = z.string().refine((id) => isRequirementId(id), 'no such requirement')
const versionsSchema = z.strictObject({
  plumbline: z.string(),
  node: z.string(),
  serviceSha256: z.string(),
  anvilSha256: z.string(),
})
const failureSchema = z.strictObject({
  schema: z.literal(FAILURE_SCHEMA),
  /** Id of the property that the case broke. */
  property: z.string(),
  requirement: requirementId,
  /** Expected and actual when it was found. */
  expected: z.string(),
  actual: z.string(),
  /** Seed of the run that found it. */
  seed: z.int(),
  case: z.json(),
  /** Programs that ran when it was found; null where an earlier version did not write them. */
  versions: versionsSchema.nullable(),
})

/** A counterexample that was found once; every later run runs it first. */
export interface KeptFailure {
  readonly property: string
  readonly requirement: RequirementId
  readonly expected: string
  readonly actual: string
  readonly seed: number
  readonly case: Json
  readonly file: string
}

/**
 * Returns the kept failures of these folders, each folder in the order of its file names; none for a missing folder.
 *
 * @throws {UsageError} a file is not a kept failure.
 */
export function readFailures(...folders: readonly string[]): readonly KeptFailure[] {
  return folders.flatMap((folder) => namesIn(folder).map((name) => readFailure(join(folder, name))))
}

function readFailure(file: string): KeptFailure {
  const read = readJsonText(readForeignFile(file))
  if ('problem' in read) throw unreadable(file, read.problem)
  const shaped = checkShape(failureSchema, read.json)
  if ('issue' in shaped) throw unreadable(file, describeIssue(failureSchema, read.json, shaped.issue))
  const { schema: _schema, versions: _versions, requirement, case: input, ...facts } = shaped.data
  return { ...facts, requirement: requirement as RequirementId, case: input as Json, file }
}

function unreadable(file: string, problem: string): UsageError {
  return new UsageError(`${file}: ${problem}`, 'Correct the file, or delete it when its property is gone.')
}

/**
 * Writes a counterexample as plain JSON, with the programs that ran. An equal one is written only once.
 *
 * @param known failures that are kept already, there or elsewhere: the names of their files are not used again.
 * @returns the path of the file.
 */
export function writeFailure(
  folder: string,
  failure: Omit<KeptFailure, 'file'>,
  known: readonly KeptFailure[] = readFailures(folder),
): string {
  const kept = known.filter(({ property }) => property === failure.property)
  const text = JSON.stringify(failure.case)
  const equal = kept.find((each) => JSON.stringify(each.case) === text)
  if (equal !== undefined) return equal.file
  const content = failureText(failure)
  for (let number = kept.length + 1; ; number += 1) {
    const file = join(folder, `${failure.property}.${number}.json`)
    // Another run may write its own failures there at the same time.
    if (writeNew(file, content)) return file
  }
}

/** Returns the text of a kept failure's file, with the programs of this process. */
function failureText(failure: Omit<KeptFailure, 'file'>): string {
  const { plumbline, node, serviceSha256, anvil } = describePrograms()
  const versions = { plumbline, node, serviceSha256, anvilSha256: anvil.sha256 }
  const { property, requirement, expected, actual, seed } = failure
  const facts = { schema: FAILURE_SCHEMA, property, requirement, expected, actual, seed }
  return `${JSON.stringify({ ...facts, case: failure.case, versions }, null, 2)}\n`
}

/** Returns the name by which a user selects a kept failure: `kept.` and the name of its file, without the extension. */
export function failureName({ file }: KeptFailure): string {
  return `kept.${basename(file, '.json')}`
}

function namesIn(folder: string): readonly string[] {
  const names = unlessMissing(() => readForeignFolder(folder)) ?? []
  return names.filter((name) => name.endsWith('.json'))
}
