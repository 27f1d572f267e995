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
 * Returns the baseline that the options name, or null if they name none.
 *
 * @param caseIds ids of all known cases.
 * @throws {UsageError} the file is missing or malformed, or names an unknown case or requirement.
 */
export function readBaseline(
  { baseline: path }: Pick<RunOptions, 'baseline'>,
  caseIds: readonly string[],
): BaselineRequest | null {
  if (path === undefined) return null
  if (!existsSync(path))
    throw new UsageError(
      `${path}: there is no such baseline`,
      `${suggestNeighbour(path)}\`plumbline baseline add\` writes one from a run.`,
    )
  return { known: readKnown(path, caseIds), today: today() }
}

/** Returns the current date (UTC) as YYYY-MM-DD. */
export function today(): string {
  return new Date(Date.now()).toISOString().slice(0, 10)
}

/** Returns a sentence that suggests the most similar file name in the same folder; empty if there is none. */
function suggestNeighbour(path: string): string {
  const folder = dirname(path)
  if (!existsSync(folder)) return ''
  return didYouMean(basename(path), readForeignFolder(folder))
}

/** Reads a baseline. @throws {UsageError} the file is malformed, or names an unknown case or requirement. */
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

/** Writes a baseline. @throws {UsageError} an entry has the wrong shape. */
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
