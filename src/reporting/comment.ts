import { shortenText } from '../spec/cutText.ts'
import { isRequirementId, requirement } from '../spec/requirements/index.ts'
import { SECTION_TITLES } from '../spec/requirements/sections.ts'
import { headlineOf } from './baselineText.ts'
import { causeOf, causesOf, examplesOf, fixFirst } from './causes.ts'
import { difference, failureText } from './failureText.ts'
import { baselineList, describeChange } from './markdown.ts'
import { code, fence } from './markdownText.ts'
import { plural } from './plural.ts'
import { printable } from './printable.ts'
import { countCases } from './report/counts.ts'
import { type Report, type ReportCase, STATUSES, type Status } from './report/model.ts'

/** The most that GitHub takes as a comment. */
const MOST_CHARACTERS = 65_536
const CAUSES = 3
const MOST_OF_A_MESSAGE = 1_500
const MOST_OF_A_NAME = 500

/** By which a comment is found again, so that the next run replaces it. HTML comments are not shown. */
const MARKER = '<!-- plumbline -->'

const SIGNS: Readonly<Record<Report['verdict'], string>> = {
  conforms: '✅',
  'does-not-conform': '❌',
  inconclusive: '⚠️',
}

const WORDS: Readonly<Record<Status, string>> = {
  pass: 'passed',
  fail: 'failed',
  inconclusive: 'inconclusive',
  excused: 'excused',
  observed: 'observed',
  'not-applicable': 'not applicable',
  skipped: 'skipped',
}

/**
 * Returns a run as a comment on a pull request, and as the summary of a CI step: the verdict, what is new, the causes to fix first, and
 * the baseline. It is Markdown whatever a target sent, says nothing to a CI runner that logs it, and is never longer than a
 * comment may be.
 */
export function toComment(report: Report): string {
  const causes = causesIn(report.cases)
  const baseline = baselineList(report)
  return joinWithin([
    `${MARKER}\n## ${SIGNS[report.verdict]} ${headlineOf(report)}`,
    `${name(report.target)}: ${countsOf(report)}.`,
    ...(report.change === null ? [] : ['### What is new', describeChange(report.change).join('\n')]),
    ...(causes.length === 0 ? [] : [headingOf(causes)]),
    ...causes.slice(0, CAUSES).flatMap((cause, index) => describeCause(cause, index + 1)),
    ...(baseline.length === 0 ? [] : ['### Baseline', baseline.join('\n')]),
    `Run it again:\n\n${fence(report.replay)}`,
    'Everything else is in `report.html`.',
  ])
}

function countsOf({ cases }: Report): string {
  const counts = countCases(cases)
  const ends = STATUSES.filter((status) => counts[status] > 0).map(
    (status) => `${counts[status]} ${WORDS[status]}`,
  )
  return [plural(cases.length, 'case'), ...ends].join(', ')
}

/** A cause, with a case that shows it. */
interface Shown {
  readonly cause: string
  readonly example: ReportCase
  readonly cases: number
}

/** Returns what to fix first, in the order of every other output; then what kept other cases from a verdict. */
function causesIn(cases: readonly ReportCase[]): readonly Shown[] {
  const examples = examplesOf(cases)
  const toFix = fixFirst(cases).flatMap(({ cause, cases: count }) => {
    const example = examples.get(cause)
    return example === undefined ? [] : [{ cause, example, cases: count }]
  })
  const known = new Set(toFix.map(({ cause }) => cause))
  const others = causesOf(cases).inconclusive.map((group) => ({
    ...{ cause: causeOf(group[0]), example: group[0], cases: group.length },
  }))
  return [...toFix, ...others.filter(({ cause }) => !known.has(cause))]
}

function headingOf(causes: readonly Shown[]): string {
  const isBroken = causes.some(({ example }) => example.status === 'fail')
  const title = isBroken ? 'Fix first' : 'Why there is no verdict'
  return causes.length > CAUSES ? `### ${title}: ${CAUSES} of ${causes.length} causes` : `### ${title}`
}

function describeCause({ cause, example, cases }: Shown, number: number): readonly string[] {
  const { id, status, failure, notes, replay } = example
  const violated = isRequirementId(cause) ? requirement(cause) : null
  const other = failure?.others?.find((each) => each.requirement === cause)
  const ofFailure = failure === null ? notes : failureText(failure)
  const message = other === undefined ? ofFailure : difference(other.expected, other.actual)
  const more = cases === 1 ? '' : `, and ${cases - 1} more`
  return [
    `#### ${number}. ${name(violated?.id ?? failure?.requirement ?? id)}`,
    `${violated === null ? '' : `§${violated.section} ${SECTION_TITLES[violated.section] ?? ''}. `}${status === 'fail' ? 'Fails' : 'No verdict'}: ${name(id)}${more}.`,
    ...(violated === null ? [] : [`> ${violated.clause.replaceAll(/\s+/g, ' ')}`]),
    fence(printable(shortenText(message.join('\n'), MOST_OF_A_MESSAGE))),
    // Whole, and in a block: what is cut, or has its spaces folded, does not run.
    fence(replay),
  ]
}

function name(value: string): string {
  return code(shortenText(value, MOST_OF_A_NAME))
}

/** The leading blocks that fit into a comment, each of them whole, and a line that says so where some do not. */
function joinWithin(blocks: readonly string[]): string {
  const cut = 'There is more than a comment may hold: see `report.html`.'
  let joined = ''
  for (const [index, block] of blocks.entries()) {
    const next = `${joined}${printable(block)}\n\n`
    const room = index === blocks.length - 1 ? 0 : cut.length + 1
    if (next.length + room > MOST_CHARACTERS) return `${joined}${cut}\n`
    joined = next
  }
  return joined.replace(/\n\n$/, '\n')
}
