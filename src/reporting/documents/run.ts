import { shortenText } from '../../spec/cutText.ts'
import { headlineOf } from '../baselineText.ts'
import { wordOf } from '../document/endings.ts'
import { toMarkdown } from '../document/markdown.ts'
import { type Block, code, command, paragraph, section } from '../document/model.ts'
import { plural } from '../plural.ts'
import { countCases, type Report, STATUSES } from '../report/model.ts'
import { describeUnanswered } from '../unanswered.ts'
import { baselineBlocks, foldedBaselineBlocks } from './baseline.ts'
import { type CauseLimits, causesBlocks } from './causes.ts'
import { changeBlocks } from './change.ts'
import { caseGaps, GAPS, requirementGaps } from './gaps.ts'
import { mixedBlocks } from './openPoints.ts'
import { meetsBlocks, requirementTable, suiteTable } from './tables.ts'

const IN_SUMMARY: CauseLimits = { inFull: 20, listed: 20, exchanges: 1, characters: 10_000 }
const IN_COMMENT: CauseLimits = { inFull: 3, listed: 0, exchanges: 1, characters: 1_500 }
const SHOWN_CHANGES = 20
const MOST_OF_A_NAME = 500

/** Returns a run as Markdown, for the folder of its results: verdict, failures, and gaps. */
export function runSummary(report: Report): string {
  const blocks = [
    section(headlineOf(report), [
      ...runBlocks(report, IN_SUMMARY),
      ...baselineBlocks(report),
      section('Evidence', [requirementTable(report), suiteTable(report), ...meetsBlocks(report)]),
      section('Gaps', [...requirementGaps(report, GAPS), ...caseGaps(report)]),
      ...mixedBlocks(report),
    ]),
  ]
  return `${toMarkdown(blocks).join('\n\n')}\n`
}

/** Maximum length of a comment on GitHub. */
const MOST_CHARACTERS = 65_536

/** Identifies the comment, so that the next run replaces it. HTML comments are not shown. */
const MARKER = '<!-- plumbline -->'

const SIGNS: Readonly<Record<Report['verdict'], string>> = {
  conforms: '✅',
  'does-not-conform': '❌',
  inconclusive: '⚠️',
}

/**
 * Returns a run as a comment on a pull request, which is also the summary of a CI step: the verdict, what is new, the causes to
 * fix first, and the baseline. It fits into one comment.
 */
export function runComment(report: Report): string {
  const title = `${SIGNS[report.verdict]} ${headlineOf(report)}`
  const blocks = [
    section(title, [
      ...runBlocks(report, IN_COMMENT),
      ...foldedBaselineBlocks(report),
      paragraph('Everything else is in `report.html`.'),
    ]),
  ]
  const [heading = '', ...others] = toMarkdown(blocks, 2)
  return joinWithin([`${MARKER}\n${heading}`, ...others])
}

/** Returns the counts, then the command that runs it again, because what follows may be cut, then the changes and causes. */
function runBlocks(report: Report, limits: CauseLimits): readonly Block[] {
  const { target, seed, cases, change, replay } = report
  const unanswered = describeUnanswered(report)
  return [
    paragraph(code(shortenText(target, MOST_OF_A_NAME)), `, seed ${seed}: ${countsOf(cases)}.`),
    ...(unanswered === null ? [] : [paragraph(unanswered)]),
    command(replay, 'replay'),
    ...(change === null ? [] : [section('What is new', changeBlocks(change, SHOWN_CHANGES))]),
    ...causesBlocks(cases, null, limits),
  ]
}

/** Returns the number of cases and how they ended: `12 cases, 10 pass, 2 fail`. */
export function countsOf(cases: Parameters<typeof countCases>[0]): string {
  return [plural(cases.length, 'case'), ...(cases.length === 0 ? [] : [endsOf(cases)])].join(', ')
}

/** Returns the number of cases by how they ended: `10 pass, 2 fail`. */
export function endsOf(cases: Parameters<typeof countCases>[0]): string {
  const counts = countCases(cases)
  return STATUSES.filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${wordOf(status)}`)
    .join(', ')
}

/** Returns the leading blocks that fit into a comment as a whole, and a line that says so if some do not. */
function joinWithin(blocks: readonly string[]): string {
  const cut = 'There is more than a comment may hold: see `report.html`.'
  let joined = ''
  for (const [index, block] of blocks.entries()) {
    const next = `${joined}${block}\n\n`
    const room = index === blocks.length - 1 ? 0 : cut.length + 1
    if (next.length + room > MOST_CHARACTERS) return `${joined}${cut}\n`
    joined = next
  }
  return joined.replace(/\n\n$/, '\n')
}
