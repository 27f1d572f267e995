import { existsSync } from 'node:fs'
import { updatedBaseline } from '../../reporting/baseline.ts'
import { BASELINE_SCHEMA, type Baseline, baselineSchema } from '../../reporting/baselineFormat.ts'
import type { Verdicts } from '../../reporting/verdicts.ts'
import { didYouMean } from '../../runner/suggest.ts'
import { writeWhole } from '../../runner/writeWhole.ts'
import { UsageError } from '../../spec/errors.ts'
import { allRequirements } from '../../spec/requirements/index.ts'
import { ConfigFileError, readConfigFile } from './configFile.ts'
import type { ConformOptions } from './options.ts'

const EMPTY: Baseline = { schema: BASELINE_SCHEMA, entries: [] }
const SHOWN = `{ "schema": "${BASELINE_SCHEMA}", "entries": [{ "case", "requirement", "fingerprint", "reason", "link", "expires" }] }.`

/**
 * The baseline that the options name; an empty one where they name none, or one that is to be written first.
 *
 * @throws {ConfigFileError} a case or requirement of it does not exist, or it is not of its shape.
 */
export function readBaseline(options: ConformOptions, caseIds: readonly string[]): Baseline {
  const { baseline: path, updateBaseline } = options
  if (path === undefined) {
    if (updateBaseline) throw new UsageError('--update-baseline has no file', 'Give --baseline FILE too.')
    return EMPTY
  }
  if (updateBaseline && !existsSync(path)) return EMPTY
  const words = [
    ...['schema', 'entries', 'case', 'requirement', 'fingerprint', 'reason', 'link', 'expires'],
    ...allRequirements().map(({ id }) => id),
  ]
  const baseline = readConfigFile(path, baselineSchema, words, SHOWN)
  const unknown = baseline.entries.find((entry) => !caseIds.includes(entry.case))
  if (unknown !== undefined) {
    throw new ConfigFileError(
      path,
      `there is no case ${unknown.case}`,
      `${didYouMean(unknown.case, caseIds)}\`plumbline conform --list\` shows all.`,
    )
  }
  return baseline
}

/**
 * Writes the failures of a run as its baseline. Known entries stay as they are.
 *
 * @throws {UsageError} new entries have no reason, link or last day.
 */
export function writeBaseline(verdicts: Verdicts, known: Baseline, options: ConformOptions): string {
  const { reason = '', link = '', expires = '' } = options
  const next = updatedBaseline(verdicts.cases, known, { reason, link, expires })
  const unexplained = next.entries.find((entry) => !entry.reason || !entry.link || !entry.expires)
  if (unexplained !== undefined) {
    throw new UsageError(
      `the failure of ${unexplained.case} has no reason to be excused`,
      'Give --reason TEXT, --link URL and --expires YYYY-MM-DD for what is new.',
    )
  }
  const parsed = baselineSchema.safeParse(next)
  if (!parsed.success) throw new UsageError(`--link ${link} is no URL`, 'Give the address of an issue.')
  writeWhole(options.baseline ?? '', `${JSON.stringify(parsed.data, null, 2)}\n`)
  return `${next.entries.length} known failures in ${options.baseline}`
}
