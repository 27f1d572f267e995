import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { readForeignFolder } from '../../host/foreignFile.ts'
import { writeWhole } from '../../host/writeWhole.ts'
import type { Excuse } from '../../reporting/baseline.ts'
import { BASELINE_SCHEMA, type Baseline, baselineSchema } from '../../reporting/baselineFormat.ts'
import { countKnown } from '../../reporting/baselineText.ts'
import { plural } from '../../reporting/plural.ts'
import { didYouMean } from '../../runner/plan/suggest.ts'
import type { BaselineRequest } from '../../runner/run/runRequest.ts'
import { UsageError } from '../../spec/errors.ts'
import { cut } from '../../spec/issue.ts'
import { readConfigFile } from './configFile.ts'
import type { RunOptions } from './options.ts'

const WHY = 'Give --reason TEXT, --link URL and --expires YYYY-MM-DD for new entries.'
const EMPTY: Baseline = { schema: BASELINE_SCHEMA, entries: [] }
const SHOWN = `{ "schema": "${BASELINE_SCHEMA}", "entries": [{ "case", "requirement" or "inconclusive", "fingerprint", "alsoViolated", "reason", "link", "expires" }] }.`

/**
 * Returns the baseline that the options name; null where they name none.
 *
 * @param caseIds Every case that there is.
 * @throws {UsageError} a case or requirement of it does not exist, or it is not of its shape.
 */
export function readBaseline(
  options: Pick<RunOptions, 'baseline' | 'updateBaseline' | 'reason' | 'link' | 'expires'>,
  caseIds: readonly string[],
): BaselineRequest | null {
  const { baseline: path, updateBaseline, reason = '', link = '', expires = '' } = options
  if (path === undefined) {
    if (updateBaseline) throw new UsageError('--update-baseline has no file', 'Give --baseline FILE too.')
    return null
  }
  const today = new Date(Date.now()).toISOString().slice(0, 10)
  if (!updateBaseline) {
    if (!existsSync(path)) {
      const advice = 'A run with --update-baseline, --reason, --link and --expires writes it.'
      throw new UsageError(`${path}: there is no such baseline`, `${suggestNeighbour(path)}${advice}`)
    }
    return { known: readKnown(path, caseIds), today }
  }
  if (link !== '' && !URL.canParse(link))
    throw new UsageError('--link is not a URL', 'Give the address of an issue.')
  if (expires !== '' && expires < today)
    throw new UsageError(`--expires ${expires} is over`, 'Give a day that is still to come.')
  if (!existsSync(path) && [reason, link, expires].includes(''))
    throw new UsageError(`every entry of ${path} would be new`, WHY)
  const known = existsSync(path) ? readKnown(path, caseIds) : EMPTY
  return { known, today, update: { reason, link, expires } }
}

/** Returns the file next to it that a mistyped path most likely means, in a sentence; empty when there is none. */
function suggestNeighbour(path: string): string {
  const folder = dirname(path)
  if (!existsSync(folder)) return ''
  return didYouMean(basename(path), readForeignFolder(folder))
}

function readKnown(path: string, caseIds: readonly string[]): Baseline {
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

/**
 * Writes an updated baseline into its file.
 *
 * @param before the baseline that was updated, and what new entries were to say.
 * @returns what to print about it, line by line.
 * @throws {UsageError} new entries have no reason, link or last day.
 */
export function writeBaseline(
  baseline: Baseline,
  path: string,
  before: Pick<BaselineRequest, 'known' | 'update'>,
): readonly string[] {
  const unexplained = baseline.entries.find((entry) => !entry.reason || !entry.link || !entry.expires)
  if (unexplained !== undefined) {
    throw new UsageError(`the end of ${unexplained.case} has no reason to be excused`, WHY)
  }
  const parsed = baselineSchema.safeParse(baseline)
  if (!parsed.success) throw new UsageError(`${path} would not be valid`, WHY)
  writeWhole(path, `${JSON.stringify(parsed.data, null, 2)}\n`)
  const kept = keptExcuses(baseline, before)
  const asBefore =
    kept === 0
      ? []
      : [
          `${plural(kept, 'known entry keeps its', 'known entries keep their')} reason, link and day: edit them in the file`,
        ]
  return [`${countKnown(baseline.entries)} in ${path}`, ...asBefore]
}

/** Returns how many entries were known before and do not take what was given for new ones. */
function keptExcuses(
  { entries }: Baseline,
  { known, update }: Pick<BaselineRequest, 'known' | 'update'>,
): number {
  const given = Object.entries(update ?? {}).filter(([, value]) => value !== '')
  const before = new Set(known.entries.map((entry) => `${entry.case} ${entry.fingerprint}`))
  return entries.filter(
    (entry) =>
      before.has(`${entry.case} ${entry.fingerprint}`) &&
      given.some(([name, value]) => entry[name as keyof Excuse] !== value),
  ).length
}
