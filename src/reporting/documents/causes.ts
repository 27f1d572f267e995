import { shortenText } from '../../spec/cutText.ts'
import { isRequirementId } from '../../spec/requirements/index.ts'
import { type CauseOf, causesOf, describeBlocked, explanationOf, findCauses, fixFirst } from '../causes.ts'
import { type Block, list, mark, ordered, paragraph, section, type Text, terms } from '../document/model.ts'
import { caseRef, requirementRef } from '../document/references.ts'
import type { Group } from '../groupBy.ts'
import { listNames } from '../listNames.ts'
import { plural } from '../plural.ts'
import type { ReachableService } from '../report/again.ts'
import { clauseOf } from './clauses.ts'
import { exchangeBlocks } from './exchanges.ts'
import { caseBlocks, recordingBlocks, type ShownCase } from './failure.ts'

/** How much of what did not pass is shown. */
export interface CauseLimits {
  /** So many causes with a case in full, so many more in two lines; the others are counted. */
  readonly inFull: number
  readonly listed: number
  /** Of a case in full, so many of its last exchanges, and so many characters of each text of the target. */
  readonly exchanges: number
  readonly characters: number
}

/** In a terminal, short enough to be read without scrolling; the report holds all. */
export const FAILURES_IN_TERMINAL: CauseLimits = {
  ...{ inFull: 2, listed: 8, exchanges: 4, characters: Number.POSITIVE_INFINITY },
}
const MOST_TO_FIX = 3
const CHARACTERS = 160
const NAME_CHARACTERS = 80

/** Returns what did not pass, a case in full for each of the first causes: failures first, then what is inconclusive. */
export function causesBlocks(
  rows: readonly ShownCase[],
  service: ReachableService | null,
  limits: CauseLimits,
): readonly Block[] {
  const causeOf = findCauses(rows)
  const { broken, inconclusive } = causesOf(rows, causeOf)
  const groups = [...broken, ...inconclusive]
  const inFull = groups.slice(0, limits.inFull)
  const listed = groups.slice(inFull.length, inFull.length + limits.listed)
  const rest = groups.slice(inFull.length + listed.length)
  const others = listed.map((group) => ({ blocks: briefly(group, broken, causeOf) }))
  return [
    ...fixFirstBlocks(rows),
    ...inFull.map((group) => causeSection(group, becauseOf(group, broken, causeOf), service, limits)),
    ...(others.length === 0 ? [] : [section('Other causes', [list(others)])]),
    ...(rest.length === 0
      ? []
      : [paragraph(`and ${plural(rest.flat().length, 'case')} more, in report.html`)]),
  ]
}

/** Returns what to fix first, where there is a choice, or where one cause that no clause names ends several cases. */
export function fixFirstBlocks(rows: readonly ShownCase[], most = MOST_TO_FIX): readonly Block[] {
  const causes = fixFirst(rows)
  const [first] = causes
  const isNamed = first === undefined || first.requirement !== null || first.cases < 2
  if (causes.length < 2 && isNamed) return []
  const shown = causes.slice(0, most)
  const among = shown.length < causes.length ? `${shown.length} of ` : ''
  return [
    section(`Fix first, ${among}${plural(causes.length, 'cause')}`, [
      ordered(shown.map((one) => [...causeText(one.cause), `: ${describeBlocked(one)}`])),
    ]),
  ]
}

/** Returns a case in full, as every document shows it, with how many more have its cause. */
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
  group: Group<ShownCase>,
  because: string,
  service: ReachableService | null,
  limits: CauseLimits,
): Block {
  const [first, ...others] = group
  return caseSection(first, service, limits, [
    ...(because === '' ? [] : [paragraph(because)]),
    ...(others.length === 0 ? [] : [paragraph(`${others.length} more with this cause: `, namesOf(others))]),
  ])
}

/** Returns a cause in its name, its cases, and what was expected and the actual result, each in a line. */
function briefly(
  group: Group<ShownCase>,
  broken: readonly Group<ShownCase>[],
  causeOf: CauseOf,
): readonly Block[] {
  const [first] = group
  const because = becauseOf(group, broken, causeOf)
  return [
    paragraph(
      mark(first.status),
      ' ',
      ...causeText(causeOf(first)),
      ': ',
      namesOf(group),
      because === '' ? '' : `; ${because}`,
    ),
    ...(first.failure === null
      ? []
      : [
          terms([
            ['expected', oneLine(first.failure.expected)],
            ['actual', oneLine(first.failure.actual)],
          ]),
        ]),
  ]
}

function causeText(cause: string): Exclude<Text, string> {
  if (!isRequirementId(cause)) return [shortenText(oneLine(cause), NAME_CHARACTERS)]
  return [requirementRef(cause), `, §${clauseOf(cause)?.section}`]
}

function becauseOf(group: Group<ShownCase>, broken: readonly Group<ShownCase>[], causeOf: CauseOf): string {
  const cause = explanationOf(group, broken, causeOf)
  return cause === null ? '' : `perhaps because ${cause} is broken`
}

const namesOf = (rows: readonly ShownCase[]) => listNames(rows.map(({ id }) => id))

const oneLine = (text: string) => shortenText(text.split('\n', 1)[0] ?? '', CHARACTERS)
