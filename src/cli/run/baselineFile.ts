import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { z } from 'zod'
import { readForeignFolder } from '../../host/foreignFile.ts'
import { writeWhole } from '../../host/writeWhole.ts'
import { BASELINE_SCHEMA, type Baseline, baselineSchema } from '../../reporting/baselineFormat.ts'
import { didYouMean } from '../../runner/plan/suggest.ts'
import type { BaselineRequest } from '../../runner/run/runRequest.ts'
import { UsageError } from '../../spec/errors.ts'
import { cut, describeIssue } from '../../spec/issue.ts'
import { readConfigFile } from './configFile.ts'
import type { RunOptions } from './options.ts'

export const EMPTY_BASELINE: Baseline = { schema: BASELINE_SCHEMA, entries: [] }
const SHOWN = `{ "schema": "${BASELINE_SCHEMA}", "entries": [{ "case", "requirement" or "inconclusive", "fingerprint", "alsoViolated", "reason", "link", "expires" }] }.`

/**
 * Returns the baseline that the options name; null where they name none.
 *
 * @param caseIds Every case that there is.
 * @throws {UsageError} a case or requirement of it does not exist, or it is not of its shape.
 */
export function readBaseline(
  { baseline: path }: Pick<RunOptions, 'baseline'>,
  caseIds: readonly string[],
): BaselineRequest | null {
  if (path === undefined) return null
  if (!existsSync(path))
    throw new UsageError(
      `${path}: there is no such baseline`,
      `${suggestNeighbour(path)}\`plumbline baseline add\` writes it of a run.`,
    )
  return { known: readKnown(path, caseIds), today: today() }
}

/** As YYYY-MM-DD. */
export function today(): string {
  return new Date(Date.now()).toISOString().slice(0, 10)
}

/** Returns the file next to it that a mistyped path most likely means, in a sentence; empty when there is none. */
function suggestNeighbour(path: string): string {
  const folder = dirname(path)
  if (!existsSync(folder)) return ''
  return didYouMean(basename(path), readForeignFolder(folder))
}

/** Returns the baseline in a file. @throws {UsageError} a case or requirement of it does not exist, or it is not of its shape. */
export function readKnown(path: string, caseIds: readonly string[]): Baseline {
  const baseline = readConfigFile(path, baselineSchema, SHOWN)
  const unknown = baseline.entries.find((entry) => !caseIds.includes(entry.case))
  if (unknown !== undefined) {
    throw new UsageError(
      `${path}: there is no case ${cut(unknown.case)}`,
      `${didYouMean(unknown.case, caseIds)}\`plumbline conform --list\` shows all.`,
    )
  }
  return baseline
}

/** Writes a baseline into its file. @throws {UsageError} an entry is not of its shape. */
export function writeBaseline(baseline: Baseline, path: string): void {
  const parsed = baselineSchema.safeParse(baseline)
  if (!parsed.success) {
    const [issue] = parsed.error.issues as [z.core.$ZodIssue]
    throw new UsageError(
      `${path} would not be valid: ${describeIssue(baselineSchema, baseline, issue)}`,
      SHOWN,
    )
  }
  writeWhole(path, `${JSON.stringify(parsed.data, null, 2)}\n`)
}
