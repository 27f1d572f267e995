import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ForeignFileError, readForeignFile } from '../host/foreignFile.ts'
import { writeWhole } from '../host/writeWhole.ts'
import { UsageError } from '../spec/errors.ts'
import { describeIssue, shortJson } from '../spec/issue.ts'
import { readJsonText } from '../spec/json.ts'
import { MANIFEST_SCHEMA, type Manifest, manifestSchema } from '../spec/manifest.ts'
import { checkShape } from '../spec/shape.ts'

export type ManifestFileReason =
  | 'missing'
  | 'unreadable'
  | 'not-json'
  | 'other-schema'
  | 'wrong-shape'
  | 'unwritable'

const ADVICE: Readonly<Record<ManifestFileReason, string>> = {
  missing: 'Start `plumbline sandbox --manifest FILE` and pass the same path.',
  unreadable: 'Pass a file that you may read.',
  'not-json':
    'Pass the file written by `plumbline sandbox --manifest FILE`. If it is that file, write it again.',
  'other-schema': 'Use the same version of Plumbline for the sandbox and for this command.',
  'wrong-shape': 'Write it again with `plumbline sandbox --manifest FILE`, and do not edit it.',
  unwritable: 'Pass a path in an existing directory that you may write to.',
}

/** A sandbox manifest cannot be read or written. */
export class ManifestFileError extends UsageError {
  override readonly name = 'ManifestFileError'
  readonly path: string
  readonly reason: ManifestFileReason
  constructor(path: string, reason: ManifestFileReason, problem: string, options?: { cause?: unknown }) {
    super(`manifest ${path}: ${problem}`, ADVICE[reason], options)
    this.path = path
    this.reason = reason
  }
}

/**
 * Writes a manifest atomically, because a reader may be waiting for it.
 *
 * @throws {ManifestFileError} `unwritable`
 */
export async function writeManifestFile(path: string, manifest: Manifest): Promise<void> {
  try {
    await stat(dirname(path))
    writeWhole(path, `${JSON.stringify(manifest, null, 2)}\n`)
  } catch (cause) {
    throw new ManifestFileError(path, 'unwritable', `cannot be written (${codeOf(cause)})`, { cause })
  }
}

/**
 * Reads and checks a manifest.
 *
 * @throws {ManifestFileError} missing, unreadable, not JSON, of another schema version, or invalid
 */
export async function readManifestFile(path: string): Promise<Manifest> {
  let text: string
  try {
    text = readForeignFile(path)
  } catch (cause) {
    if (!(cause instanceof ForeignFileError)) throw cause
    if (cause.isMissing) throw new ManifestFileError(path, 'missing', 'there is no such file')
    throw new ManifestFileError(path, 'unreadable', cause.problem, { cause })
  }
  const read = readJsonText(text)
  if ('problem' in read) {
    throw new ManifestFileError(path, 'not-json', read.problem, { cause: read.cause })
  }
  const content = read.json
  const schema = (content as { schema?: unknown } | null)?.schema
  if (schema !== MANIFEST_SCHEMA) {
    const problem = `its schema is ${shortJson(schema)}, not "${MANIFEST_SCHEMA}"`
    throw new ManifestFileError(path, 'other-schema', problem)
  }
  const shaped = checkShape(manifestSchema, content)
  if ('data' in shaped) return shaped.data
  throw new ManifestFileError(path, 'wrong-shape', describeIssue(manifestSchema, content, shaped.issue))
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'
}
