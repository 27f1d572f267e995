import { readFileSync, statSync } from 'node:fs'
import { type Proof, proofSchema } from '../../reporting/proof.ts'
import { UsageError } from '../../spec/errors.ts'
import { IncompleteFileError } from './readRun.ts'

/**
 * Reads a kill matrix for a report.
 *
 * @throws {UsageError} there is no such file, or an earlier version wrote it.
 * @throws {IncompleteFileError} it was cut off, or is not a kill matrix.
 */
export function readMatrix(path: string): Proof {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new UsageError(`there is no ${path}`, 'Write it with `plumbline prove`.')
  }
  const json = jsonOf(path)
  const parsed = proofSchema.safeParse(json)
  if (parsed.success) return parsed.data
  if ((json as { schema?: unknown } | null)?.schema === 'plumbline-proof/1') {
    throw new UsageError(`${path} has the schema plumbline-proof/1`, 'Run `plumbline prove` again.')
  }
  throw new IncompleteFileError(path, parsed.error.issues[0]?.message ?? 'another shape')
}

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new IncompleteFileError(path, 'it ends in the middle')
  }
}
