import { shortenText } from '../../spec/cutText.ts'
import { type Cause, causesOf, describeLoss } from '../causes.ts'
import { type Block, list, mark, ordered, paragraph, section, type Text, terms } from '../document/model.ts'
import { caseRef, requirementRef } from '../document/references.ts'
import { listNames } from '../listNames.ts'
import { plural } from '../plural.ts'
import type { ReachableService } from '../report/again.ts'
import { clauseOf } from './clauses.ts'
import { exchangeBlocks } from './exchanges.ts'
import { caseBlocks, recordingBlocks, type ShownCase } from './failure.ts'

/** Limits on how much of the failed and inconclusive cases is shown. */
export interface CauseLimits {
  /** Number of causes with a case in full, and of further ones in two lines; the rest is counted. */
  readonly inFull: number
  readonly listed: number
  /** For a case in full: number of its last exchanges, and of characters of each text of the target. */
  readonly exchanges: number
  readonly characters: number
}

/** Limits for a terminal, to be read without scrolling; the report holds everything. */
export const FAILURES_IN_TERMINAL: CauseLimits = {
  ...{ inFull: 2, listed: 8, exchanges: 4, characters: Number.POSITIVE_INFINITY },
}
const MOST_TO_FIX = 3
const CHARACTERS = 160
const NAME_CHARACTERS = 80

/** Returns the causes of cases that did not pass, in the order in which to fix them, the first ones with a case in full. */
export function causesBlocks(
  rows: readonly ShownCase[],
  service: ReachableService | null,
  limits: CauseLimits,
): readonly Block[] {
  const causes = causesOf(rows)
  const inFull = chooseInFull(causes, limits.inFull)
  const others = causes.filter((cause) => !inFull.has(cause))
  const listed = others.slice(0, limits.listed)
  const rest = others.slice(listed.length)
  const ended = new Set(rest.flatMap((cause) => cause.rows)).size
  return [
    ...fixFirstBlocks(causes),
    ...[...inFull].map(([cause, row]) => causeSection(cause, row, service, limits)),
    ...(listed.length === 0
      ? []
      : [section('Other causes', [list(listed.map((cause) => ({ blocks: briefly(cause) })))])]),
    ...(rest.length === 0
      ? []
      : [paragraph(`and ${plural(rest.length, 'more cause')}, ${plural(ended, 'case')}, in report.html`)]),
  ]
}

/** Returns the first causes, each with one case to show. A cause that a case shown in full covers already is skipped. */
function chooseInFull(
  causes: readonly Cause<ShownCase>[],
  most: number,
): ReadonlyMap<Cause<ShownCase>, ShownCase> {
  const chosen = new Map<Cause<ShownCase>, ShownCase>()
  const shown = new Set<string | null>()
  for (const cause of causes) {
    const [row] = cause.rows
    if (chosen.size >= most || (cause.requirement !== null && shown.has(cause.requirement))) continue
    chosen.set(cause, row)
    if (row.failure === null) continue
    for (const { requirement } of [row.failure, ...(row.failure.others ?? [])]) shown.add(requirement)
  }
  return chosen
}

/** Returns the causes to fix first, if there are several, or a single one that no clause names ends several cases. */
export function fixFirstBlocks(causes: readonly Cause<ShownCase>[], most = MOST_TO_FIX): readonly Block[] {
  const toFix = causes.filter(({ isOfTarget }) => isOfTarget)
  const [first] = toFix
  const isNamed = first === undefined || first.requirement !== null || first.rows.length < 2
  if (toFix.length < 2 && isNamed) return []
  const shown = toFix.slice(0, most)
  const among = shown.length < causes.length ? `${shown.length} of ` : ''
  return [
    section(`Fix first, ${among}${plural(causes.length, 'cause')}`, [
      ordered(shown.map((one) => [...causeText(one), `: ${describeLoss(one)}`])),
    ]),
  ]
}

/** Returns a case in full, as every document shows it. @param more blocks after it. */
export function caseSection(
  row: ShownCase,
  service: ReachableService | null,
  { exchanges, characters }: Pick<CauseLimits, 'exchanges' | 'characters'>,
  more: readonly Block[] = [],
): Block {
  return section(
    [mark(row.status), ' ', caseRef(row.id)],
    [
      ...caseBlocks(row, clauseOf, characters),
      ...exchangeBlocks(row, service, exchanges),
      ...recordingBlocks(row),
      ...more,
    ],
  )
}

function causeSection(
  cause: Cause<ShownCase>,
  one: ShownCase,
  service: ReachableService | null,
  limits: CauseLimits,
): Block {
  const others = cause.rows.filter((row) => row !== one)
  const consequences = consequencesOf(cause)
  return caseSection(one, service, limits, [
    ...(others.length === 0 ? [] : [paragraph(`${others.length} more with this cause: `, namesOf(others))]),
    ...(consequences === '' ? [] : [paragraph(consequences)]),
  ])
}

/** Returns a cause with its cases, its expected and its actual result, a line each. */
function briefly(cause: Cause<ShownCase>): readonly Block[] {
  const violation = violationOf(cause)
  const consequences = consequencesOf(cause)
  return [
    paragraph(
      mark(cause.status),
      ' ',
      ...causeText(cause),
      ': ',
      namesOf(cause.rows),
      consequences === '' ? '' : `; ${consequences}`,
    ),
    ...(violation === null
      ? []
      : [
          terms([
            ['expected', oneLine(violation.expected)],
            ['actual', oneLine(violation.actual)],
          ]),
        ]),
  ]
}

/** Returns the expected and the actual result at the cause's own requirement in its first case. */
function violationOf({
  requirement,
  rows: [{ failure }],
}: Cause<ShownCase>): { readonly expected: string; readonly actual: string } | null {
  return failure?.others?.find((other) => other.requirement === requirement) ?? failure
}

function causeText({ name, requirement }: Cause<ShownCase>): Exclude<Text, string> {
  if (requirement === null) return [shortenText(oneLine(name), NAME_CHARACTERS)]
  return [requirementRef(requirement), `, §${clauseOf(requirement)?.section}`]
}

/** Returns the broken requirements that follow from a cause; empty where there are none. */
export function consequencesOf({ explained }: Pick<Cause<unknown>, 'explained'>): string {
  return explained.length === 0 ? '' : `perhaps also the cause of ${listNames(explained)}`
}

const namesOf = (rows: readonly ShownCase[]) => listNames(rows.map(({ id }) => id))

const oneLine = (text: string) => shortenText(text.split('\n', 1)[0] ?? '', CHARACTERS)
