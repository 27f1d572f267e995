import { shortenText } from '../spec/cutText.ts'
import { isRequirementId, requirement } from '../spec/requirements/index.ts'
import { SECTION_TITLES } from '../spec/requirements/sections.ts'
import { headlineOf } from './baseline.ts'
import { causesOf, type Group } from './causes.ts'
import { failureText } from './failureText.ts'
import { baselineList, describeChange } from './markdown.ts'
import { code, fence } from './markdownText.ts'
import { plural } from './plural.ts'
import { printable } from './printable.ts'
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
 * A run as a comment on a pull request, and as the summary of a CI step: the verdict, what is new, the causes to fix first, and
 * the baseline. It is Markdown whatever a target sent, says nothing to a CI runner that logs it, and is never longer than a
 * comment may be.
 */
export function toComment(report: Report): string {
  const { broken, untold } = causesOf(report.cases)
  const causes = [...broken, ...untold]
  const baseline = baselineList(report)
  return joinWithin([
    `${MARKER}\n## ${SIGNS[report.verdict]} ${headlineOf(report)}`,
    `${name(report.target)}: ${countsOf(report)}.`,
    ...(report.change === null ? [] : ['### What is new', describeChange(report.change).join('\n')]),
    ...(causes.length === 0 ? [] : [headingOf(causes.length, broken.length)]),
    ...causes.slice(0, CAUSES).flatMap((cause, index) => describeCause(cause, index + 1)),
    ...(baseline.length === 0 ? [] : ['### Baseline', baseline.join('\n')]),
    `Run it again: ${name(report.replay)}. Everything else is in \`report.html\`.`,
  ])
}

function countsOf({ cases }: Report): string {
  const ends = STATUSES.map(
    (status) => [cases.filter((each) => each.status === status).length, status] as const,
  )
  const counts = ends.filter(([count]) => count > 0).map(([count, status]) => `${count} ${WORDS[status]}`)
  return [plural(cases.length, 'case'), ...counts].join(', ')
}

function headingOf(causes: number, broken: number): string {
  const title = broken === 0 ? 'Why there is no verdict' : 'Fix first'
  return causes > CAUSES ? `### ${title}: ${CAUSES} of ${causes} causes` : `### ${title}`
}

function describeCause([first, ...others]: Group<ReportCase>, number: number): readonly string[] {
  const { id, failure, notes, clause, replay } = first
  const violated = failure?.requirement ?? ''
  const section = isRequirementId(violated) ? requirement(violated).section : null
  const message = (failure === null ? notes : failureText(failure)).join('\n')
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  return [
    `#### ${number}. ${name(violated || id)}`,
    `${section === null ? '' : `§${section} ${SECTION_TITLES[section] ?? ''}. `}${first.status === 'fail' ? 'Fails' : 'No verdict'}: ${name(id)}${more}.`,
    ...(clause === null ? [] : [`> ${clause.replaceAll(/\s+/g, ' ')}`]),
    fence(printable(shortenText(message, MOST_OF_A_MESSAGE))),
    name(replay),
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
