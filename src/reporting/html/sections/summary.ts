import { SECTION_TITLES } from '../../../spec/requirements/sections.ts'
import { headlineOf } from '../../baselineText.ts'
import { wordOf } from '../../document/endings.ts'
import { type Block, details, section } from '../../document/model.ts'
import { changeBlocks, evidenceBlocks } from '../../documents/change.ts'
import { caseGaps, GAPS, requirementGaps } from '../../documents/gaps.ts'
import { meetsBlocks, observationsOf, suiteTable } from '../../documents/tables.ts'
import { groupBy } from '../../groupBy.ts'
import { plural } from '../../plural.ts'
import type { Specification } from '../../report/about.ts'
import {
  countCases,
  countRequirements,
  type Report,
  type ReportChange,
  type ReportRequirement,
  VERDICTS,
  type Verdict,
} from '../../report/model.ts'
import { describeUnanswered } from '../../unanswered.ts'
import { renderCopyable, toHtml } from '../document.ts'
import { html, type Markup } from '../markup.ts'
import { dateOf, duration } from '../parts/marks.ts'

/** Returns the summary: the verdict, then its evidence and what remains open. */
export function renderSummary(report: Report): Markup {
  return html`<section id="summary" aria-labelledby="verdict">
<h1 id="verdict" class="verdict is-${report.verdict}">${headlineOf(report)}</h1>
<p class="lead">${openingOf(report)} ${sentenceOf(report)} ${describeUnanswered(report)}</p>
${renderFacts(report)}
${renderCopyable(report.replay, 'command to run it again')}
${renderMap(report.requirements)}
${toHtml([suiteTable(report), ...meetsBlocks(report)])}
${report.change !== null && toHtml([section('What changed', changesOf(report.change))])}
</section>`
}

/** Returns the gaps with their reasons; null if everything has a verdict. */
export function renderGaps(report: Report): Markup | null {
  const gaps = [...requirementGaps(report, GAPS), ...caseGaps(report)]
  if (gaps.length === 0) return null
  return html`<section class="gap" aria-label="What was not exercised">${toHtml([section('What was not exercised', gaps)], 2)}</section>`
}

/** Introduces Plumbline and the tested service, for a reader who was sent this page alone. */
function openingOf({ cases, target }: Report): Markup {
  const [, command] = /^spawned: (.*)$/s.exec(target) ?? []
  const service =
    command === undefined ? target : html`the service that was started by <code>${command}</code>`
  return html`Plumbline, a conformance suite for swap routing services, ran ${plural(cases.length, 'case')} against ${service}.`
}

/** Names of verdicts in the sentence about the requirements that do not pass. */
const OTHERWISE: readonly (readonly [Verdict, (count: number) => string])[] = [
  ['fail', () => 'violated'],
  [
    'not-kept',
    (count) => `${count === 1 ? 'convention' : 'conventions'} not kept (which counts only with --strict)`,
  ],
  ['inconclusive', () => 'inconclusive'],
  ['excused', () => 'excused by the baseline'],
  ['untested', () => 'not tested'],
  ['observed', () => 'only observed'],
  ['not-applicable', () => 'not applicable'],
]

/** Describes the testable requirements that do not pass; the numbers add up to all testable ones. */
function othersOf(counts: Readonly<Record<Verdict, number>>): string {
  const parts = OTHERWISE.filter(([verdict]) => counts[verdict] > 0).map(
    ([verdict, words]) => `${counts[verdict]} ${words(counts[verdict])}`,
  )
  const others = OTHERWISE.reduce((sum, [verdict]) => sum + counts[verdict], 0)
  return others === 0 ? '' : ` Of the other ${others}: ${parts.join(', ')}.`
}

function sentenceOf({ cases, requirements }: Report): string {
  const { fail: failed, inconclusive: open, excused: known } = countCases(cases)
  const counts = countRequirements(requirements)
  const testable = requirements.length - counts.untestable
  if (cases.length === 0) return 'No case was run, so there is no verdict on the target.'
  const undecided = open > 0 ? ` ${plural(open, 'case')} ended without a verdict.` : ''
  const passed = `${counts.pass} of ${testable} testable requirements pass`
  const failing = failed > 0 ? ` ${plural(failed, 'case')} ${failed === 1 ? 'fails' : 'fail'}.` : ''
  const none = counts.fail > 0 ? '' : `, and ${counts.excused > 0 ? 'no other' : 'none'} is violated`
  const excused = known > 0 ? ` The baseline excuses ${plural(known, 'case')}.` : ''
  return `${passed}${none}.${othersOf(counts)}${failing}${excused}${undecided}`
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

/**
 * Returns one small square per requirement, by section, to show gaps and failures at a glance. It is only for eye and mouse;
 * the list of requirements has the same information as text.
 */
function renderMap(requirements: readonly ReportRequirement[]): Markup {
  const counts = countRequirements(requirements)
  const sections = [...groupBy(requirements, ({ section }) => section)]
  return html`<figure class="map"><div class="map-sections" aria-hidden="true">${sections.map(
    ([section, own]) => {
      return html`<div class="map-section"><span class="map-name" title="${SECTION_TITLES[section] ?? ''}">§${section}</span><span class="map-cells">${own.map(
        ({ id, verdict }) =>
          html`<i class="cell is-${verdict}" data-goto="${id}" title="${id}: ${wordOf(verdict)}"></i>`,
      )}</span></div>`
    },
  )}</div><figcaption>${VERDICTS.map((verdict) => {
    if (counts[verdict] === 0) return null
    return html`<span class="legend"><i class="cell is-${verdict}" aria-hidden="true"></i> ${counts[verdict]} ${wordOf(verdict)}</span>`
  })}</figcaption></figure>`
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
