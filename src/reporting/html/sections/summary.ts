import { headlineOf } from '../../baselineText.ts'
import { type Block, details, section } from '../../document/model.ts'
import { changeBlocks, evidenceBlocks } from '../../documents/change.ts'
import { caseGaps, GAPS, requirementGaps } from '../../documents/gaps.ts'
import { observationsOf, suiteTable } from '../../documents/tables.ts'
import { plural } from '../../plural.ts'
import type { Specification } from '../../report/about.ts'
import type { Report, ReportChange } from '../../report/model.ts'
import { countCases, countRequirements } from '../../report/model.ts'
import { renderCopyable, toHtml } from '../document.ts'
import { html, type Markup } from '../markup.ts'
import { dateOf, duration } from '../parts/marks.ts'
import { renderMap } from './map.ts'

/** Returns the verdict first, then the evidence for it and what remains open. */
export function renderSummary(report: Report): Markup {
  const gaps = [...requirementGaps(report, GAPS), ...caseGaps(report)]
  return html`<section id="summary" aria-labelledby="verdict">
<h1 id="verdict" class="verdict is-${report.verdict}">${headlineOf(report)}</h1>
<p class="lead">${sentenceOf(report)}</p>
${renderFacts(report)}
${renderCopyable(report.replay, 'command to run it again')}
${renderMap(report.requirements)}
${toHtml([suiteTable(report)])}
${gaps.length > 0 && html`<div class="gap">${toHtml([section('What was not exercised', gaps)])}</div>`}
${report.change !== null && toHtml([section('What changed', changesOf(report.change))])}
</section>`
}

function sentenceOf({ cases, requirements }: Report): string {
  const { fail: failed, inconclusive: open, excused: known } = countCases(cases)
  const counts = countRequirements(requirements)
  const testable = requirements.length - counts.untestable
  const number = plural(cases.length, 'case')
  if (cases.length === 0) return 'No case was run, so there is no verdict on the target.'
  const undecided = open > 0 ? ` ${plural(open, 'case')} ended without a verdict.` : ''
  const untested = counts.untested > 0 ? ` ${counts.untested} were not tested.` : ''
  const decided =
    failed > 0
      ? `${counts.fail} of ${testable} testable requirements are violated: ${failed.toLocaleString('en')} of ${number} ${failed === 1 ? 'fails' : 'fail'}.`
      : counts.excused > 0
        ? `${counts.pass} of ${testable} testable requirements pass in ${number}; ${counts.excused} are excused, and no other is violated.`
        : `${counts.pass} of ${testable} testable requirements pass in ${number}, and none is violated.`
  const excused = known > 0 ? ` The baseline excuses ${plural(known, 'case')}.` : ''
  const departed =
    counts['not-kept'] > 0
      ? ` ${plural(counts['not-kept'], 'convention')} ${counts['not-kept'] === 1 ? 'is' : 'are'} not kept, which counts only with --strict.`
      : ''
  return `${decided}${excused}${undecided}${untested}${departed}`
}

function renderFacts(report: Report): Markup {
  const { target, seed, durationMs, versions, command, cases, requirements, endedAt, specification } = report
  const { untestable } = countRequirements(requirements)
  const { fail, inconclusive } = countCases(cases)
  const facts: readonly (readonly [string, string])[] = [
    ...(endedAt === undefined ? [] : ([['Date', dateOf(endedAt)]] as const)),
    ...(specification === undefined
      ? []
      : ([['Specification', describeSpecification(specification, untestable)]] as const)),
    ['Target', target],
    ['Command', command],
    ['Seed', String(seed)],
    ['Cases', cases.length.toLocaleString('en')],
    ['Failed', fail.toLocaleString('en')],
    ['Inconclusive', inconclusive.toLocaleString('en')],
    ['Observations', observationsOf(cases).toLocaleString('en')],
    ...(durationMs === null ? [] : ([['Duration', duration(durationMs)]] as const)),
    ...versions.map(({ name, value }) => [name, value] as const),
  ]
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Enough digits to compare two reports by eye; about.json has all. */
const DIGEST_DIGITS = 12

function describeSpecification({ version, requirements, sha256 }: Specification, untestable: number): string {
  return `${version}, ${plural(requirements, 'requirement')} of which ${untestable} cannot be tested, SHA-256 ${sha256.slice(0, DIGEST_DIGITS)}…`
}

const CHANGES = 20
const CHANGED_EVIDENCE = 100

function changesOf(change: ReportChange): readonly Block[] {
  const evidence = evidenceBlocks(change, CHANGED_EVIDENCE, true)
  const { length } = change.changedEvidence
  return [
    ...changeBlocks(change, CHANGES),
    ...(length === 0 ? [] : [details(`${length} with changed evidence`, evidence)]),
  ]
}
