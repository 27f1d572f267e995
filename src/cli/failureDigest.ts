import {
  causesOf,
  describeBlocked,
  explanationOf,
  fixFirst,
  type Group,
  type ToFix,
} from '../reporting/causes.ts'
import { describeBlame } from '../reporting/describeFailure.ts'
import type { CaseRow } from '../reporting/results.ts'
import { isRequirementId, requirement } from '../spec/requirements/index.ts'
import { colours } from './colours.ts'
import { listNames } from './listNames.ts'

/** So many results are all shown in full; of more, the first of so many broken requirements. */
const IN_FULL = 2
const MOST_BROKEN = 8
const MOST_UNTOLD = 4
const MOST_TO_FIX = 3
const MOST_CHARACTERS = 160
const TO_FIX_CHARACTERS = 80

/**
 * Returns what did not pass, short enough to be read without scrolling: results with one cause are grouped, with one of them in
 * full. The report holds all of them.
 *
 * @param inFull a result line by line
 */
export function digestFailures(
  rows: readonly CaseRow[],
  inFull: (row: CaseRow) => readonly string[],
): readonly string[] {
  const failed = rows.filter(({ failure }) => failure !== null)
  if (failed.length <= IN_FULL) return failed.flatMap(inFull)
  const { broken, inconclusive } = causesOf(failed)
  return [
    ...describeToFix(fixFirst(failed)),
    ...broken
      .slice(0, IN_FULL)
      .flatMap(([first, ...others]) => [
        ...inFull(first),
        ...(others.length === 0 ? [] : [`  ${others.length} more in the same way: ${namesOf(others)}`]),
      ]),
    '',
    ...listed(
      broken.slice(IN_FULL),
      MOST_BROKEN,
      (group) =>
        `${colours.red('fail')} ${clauseOf(group)}${namesOf(group)}${becauseOf(explanationOf(group, broken))}${differenceOf(group)}`,
    ),
    ...listed(
      inconclusive,
      MOST_UNTOLD,
      (group) => `inconclusive, ${describeBlame(group[0], colours)}: ${namesOf(group)}${differenceOf(group)}`,
    ),
  ]
}

/** Returns what to fix first, where there is a choice. */
function describeToFix(causes: readonly ToFix[]): readonly string[] {
  if (causes.length < 2) return []
  const lines = causes
    .slice(0, MOST_TO_FIX)
    .map(
      (one, index) => `  ${index + 1}. ${shortened(one.cause, TO_FIX_CHARACTERS)}: ${describeBlocked(one)}`,
    )
  const count = lines.length < causes.length ? `${lines.length} of ${causes.length}` : `${causes.length}`
  return ['', `${colours.bold('fix first')}, ${count} causes:`, ...lines]
}

function listed(
  groups: readonly Group<CaseRow>[],
  most: number,
  line: (group: Group<CaseRow>) => string,
): readonly string[] {
  const rest = groups.slice(most).flat().length
  return [...groups.slice(0, most).map(line), ...(rest === 0 ? [] : [`  and ${rest} more`])]
}

function clauseOf([{ failure }]: Group<CaseRow>): string {
  const id = failure?.requirement ?? null
  if (id === null) return `${shortened(failure?.message ?? '')}\n  `
  return `${id}${isRequirementId(id) ? `, §${requirement(id).section}` : ''}: `
}

function becauseOf(cause: string | null): string {
  return cause === null ? '' : `; perhaps because ${cause} is broken`
}

const namesOf = (rows: readonly CaseRow[]) => listNames(rows.map(({ id }) => id))

function differenceOf([{ failure }]: Group<CaseRow>): string {
  return failure === null
    ? ''
    : `\n  expected ${shortened(failure.expected)}\n  actual   ${shortened(failure.actual)}`
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''

function shortened(text: string, most = MOST_CHARACTERS): string {
  const line = firstLine(text)
  return line.length <= most ? line : `${line.slice(0, most)}…`
}
