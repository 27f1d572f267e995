import { shortenText } from '../spec/cutText.ts'
import { SECTION_TITLES } from '../spec/requirements/sections.ts'
import { describeBaseline, headlineOf, knownCauses, namesOf } from './baselineText.ts'
import { causesOf, describeBlocked, fixFirst } from './causes.ts'
import { failureText } from './failureText.ts'
import { code, fence, link, text } from './markdownText.ts'
import { plural } from './plural.ts'
import { changedLists } from './report/compareRuns.ts'
import { countRequirements } from './report/counts.ts'
import type { Report, ReportChange } from './report/model.ts'

const SHOWN = 20
const SHOWN_TO_FIX = 3
const MOST_OF_A_CAUSE = 200

/** Returns a report as Markdown, short enough for the summary of a CI job: verdict, failures, and what was not tested. */
export function toMarkdown(report: Report): string {
  const { target, seed, cases, requirements, change } = report
  const counts = countRequirements(requirements)
  const { broken, inconclusive } = causesOf(cases)
  const [failed, open] = [broken.flat(), inconclusive.flat()]
  const lines = [
    `# ${headlineOf(report)}: ${text(target)}, seed ${seed}`,
    '',
    `${cases.length} cases, ${failed.length} failed, ${open.length} inconclusive. Run it again:`,
    '',
    fence(report.replay),
    '',
    '| requirements | pass | fail | excused | not kept | inconclusive | observed | not tested | not applicable | not testable |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    `| ${requirements.length} | ${counts.pass} | ${counts.fail} | ${counts.excused} | ${counts['not-kept']} | ${counts.inconclusive} | ${counts.observed} | ${counts.untested} | ${counts['not-applicable']} | ${counts.untestable} |`,
  ]
  const baseline = baselineList(report)
  if (baseline.length > 0) lines.push('', ...baseline)
  if (change !== null) lines.push('', ...describeChange(change))
  lines.push(...fixFirstLines(report))
  const causes = [...broken, ...inconclusive]
  for (const [result, ...others] of causes.slice(0, SHOWN)) {
    lines.push('', `## ${code(result.id)} ${result.status === 'fail' ? 'fails' : 'is inconclusive'}`, '')
    const { failure } = result
    if (failure?.requirement) {
      const clause = requirements.find(({ id }) => id === failure.requirement)
      lines.push(
        `§${clause?.section ?? '?'} ${SECTION_TITLES[clause?.section ?? ''] ?? ''}, ${code(failure.requirement)}`,
        '',
      )
      if (result.clause !== null) lines.push(`> ${result.clause}`, '')
    }
    lines.push(
      fence((failure === null ? result.notes : failureText(failure)).join('\n')),
      '',
      fence(result.replay),
    )
    if (others.length > 0) lines.push('', `and ${others.length} more with this cause`)
  }
  const more = causes.slice(SHOWN).flat().length
  if (more > 0) lines.push('', `and ${more} more, in report.html`)
  return `${lines.join('\n')}\n`
}

/** Returns what to fix first, where there is a choice. */
function fixFirstLines({ cases }: Report): readonly string[] {
  const causes = fixFirst(cases)
  if (causes.length < 2) return []
  return [
    '',
    'Fix first:',
    '',
    ...causes
      .slice(0, SHOWN_TO_FIX)
      .map((one) => `1. ${code(shortenText(one.cause, MOST_OF_A_CAUSE))}: ${describeBlocked(one)}`),
  ]
}

/** What the baseline means for the run, and what is known by cause, with reason, link and last day; empty without one. */
export function baselineList(report: Report): readonly string[] {
  const known = knownCauses(report)
  const { excused } = countRequirements(report.requirements)
  return [
    ...describeBaseline(report, excused).map(
      ({ kind, text: line }) => `- ${kind === 'excused' ? '' : `**${kind}** `}${text(line)}`,
    ),
    ...known
      .slice(0, SHOWN)
      .map(
        (one) =>
          `- excused until ${one.expires}: ${code(shortenText(one.cause, MOST_OF_A_CAUSE))}, ${plural(one.cases.length, 'case')} (${code(namesOf(one))}), ${text(one.reason)} (${link(one.link)})`,
      ),
    ...(known.length > SHOWN ? [`- and ${plural(known.length - SHOWN, 'more cause')}, in report.html`] : []),
  ]
}

/** Returns what is different from another run, as a list. */
export function describeChange(change: ReportChange): readonly string[] {
  const changed = changedLists(change)
  if (changed.length === 0) return [`No changes compared with ${code(change.against)}.`]
  return [
    `Compared with ${code(change.against)}:`,
    '',
    ...changed.map(
      ([name, ids]) =>
        `- ${name} (${ids.length}): ${ids.slice(0, SHOWN).map(code).join(', ')}${ids.length > SHOWN ? ', …' : ''}`,
    ),
  ]
}
