import { existsSync } from 'node:fs'
import {
  type CaseEnd,
  compareWithBaseline,
  type Excuse,
  keyOf,
  withNewEntries,
  withoutStaleEntries,
} from '../../reporting/baseline.ts'
import type { Baseline } from '../../reporting/baselineFormat.ts'
import { countKnown, describeBaseline, verdictInWords } from '../../reporting/baselineText.ts'
import { plural } from '../../reporting/plural.ts'
import { casesOf, type Results } from '../../reporting/results.ts'
import { select } from '../../runner/plan/plan.ts'
import { caseEnds } from '../../runner/verdict/result.ts'
import { type Ending, verdictOf } from '../../runner/verdict/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { readRun } from '../report/readRun.ts'
import { EMPTY_BASELINE, readKnown, today, writeBaseline } from '../run/baselineFile.ts'
import { knownIds } from '../run/knownCases.ts'
import { endWith } from '../terminal/ending.ts'
import type { Output, Shown } from '../terminal/output.ts'

export interface BaselineOptions extends Partial<Excuse>, Shown {
  readonly baseline: string
  readonly only?: readonly string[]
}

/** Adds an entry for each failure of a run that none excuses. @throws {UsageError} a file is wrong, or a pattern selects nothing. */
export async function addEntries(run: string, options: BaselineOptions, output: Output): Promise<Ending> {
  const { baseline: path, only = [] } = options
  const cases = casesOf(readRun(run).results)
  const known = existsSync(path) ? await knownIn(path) : EMPTY_BASELINE
  const next = withNewEntries(caseEnds(select(cases, only)), known, excuseOf(options))
  return write(next, known, options, output)
}

/** Removes entries whose failures no longer happen, and renews expired ones. @throws {UsageError} a file is wrong. */
export async function updateEntries(run: string, options: BaselineOptions, output: Output): Promise<Ending> {
  const ends = caseEnds(casesOf(readRun(run).results))
  const known = await knownIn(options.baseline)
  return write(withoutStaleEntries(ends, known, excuseOf(options), today()), known, options, output)
}

/** Compares a run with the current baseline. @throws {UsageError} a file is wrong. */
export async function checkRun(run: string, options: BaselineOptions, output: Output): Promise<Ending> {
  const { results } = readRun(run)
  const ends: readonly CaseEnd[] = caseEnds(casesOf(results))
  const baseline = compareWithBaseline(ends, await knownIn(options.baseline), today())
  const compared = { ...results, baseline } as Results
  const verdict = verdictOf(compared)
  if (options.json) output.out(JSON.stringify({ verdict, baseline }))
  else if (!options.quiet)
    for (const { kind, text } of describeBaseline(compared))
      output.out(kind === 'excused' ? text : `${kind} ${text}`)
  return endWith(verdict, options, output, verdictInWords({ verdict, baseline }))
}

function write(next: Baseline, known: Baseline, options: BaselineOptions, output: Output): Ending {
  const { baseline: path, json = false, quiet = false } = options
  writeBaseline(next, path)
  const before = new Set(known.entries.map(keyOf))
  const after = new Set(next.entries.map(keyOf))
  const added = next.entries.filter((entry) => !before.has(keyOf(entry))).length
  const removed = known.entries.filter((entry) => !after.has(keyOf(entry))).length
  if (json) output.out(JSON.stringify({ path, entries: next.entries.length, added, removed }))
  else if (!quiet)
    output.out(
      `${countKnown(next.entries)} in ${path}: ${plural(added, 'entry', 'entries')} added, ${removed} removed`,
    )
  return 'conforms'
}

async function knownIn(path: string): Promise<Baseline> {
  if (!existsSync(path))
    throw new UsageError(`${path}: there is no such baseline`, '`plumbline baseline add` writes one.')
  return readKnown(path, await knownIds())
}

function excuseOf({ reason = '', link = '', expires = '' }: BaselineOptions): Excuse {
  return { reason, link, expires }
}
