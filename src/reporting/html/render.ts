import { verdictInWords } from '../baselineText.ts'
import type { Block } from '../document/model.ts'
import { baselineBlocks } from '../documents/baseline.ts'
import { brokenClauses } from '../documents/clauses.ts'
import { openPointBlocks } from '../documents/openPoints.ts'
import { propertyBlocks } from '../documents/tables.ts'
import { countCases, type Report, STATUSES } from '../report/model.ts'
import { toHtml } from './document.ts'
import { html, type Markup } from './markup.ts'
import { renderFilter } from './parts/filter.ts'
import { dateOf } from './parts/marks.ts'
import { renderFailures } from './sections/failures.ts'
import { renderPrinted } from './sections/printed.ts'
import { renderRequirements } from './sections/requirements.ts'
import { renderGaps, renderSummary } from './sections/summary.ts'
import { renderTimelinesOf } from './sections/timelines.ts'
import { renderPage } from './shell.ts'

/** Returns a report as one HTML page. */
export function renderReport(report: Report): string {
  const { target, seed, cases, baseUrl, endedAt } = report
  return renderPage({
    title: `${target}: ${verdictInWords(report)} · Plumbline, seed ${seed}`,
    about: `${target} · seed ${seed}${endedAt === undefined ? '' : ` · ${dateOf(endedAt)}`}`,
    contents: contentsOf(report),
    main: html`${renderSummary(report)}
${renderPrinted(report)}
${renderFailures(report)}
<section id="baseline" aria-label="Baseline">${toHtml(baselineBlocks(report), 2)}</section>
${renderGaps(report)}
${renderRequirements(report)}
${renderCases(cases)}
${renderTimelinesOf(report)}
${renderDocument('properties', propertyBlocks(report))}
${renderDocument('open-points', openPointBlocks(report))}`,
    data: { cases: cases.map(({ judged: _, ...shown }) => shown), baseUrl, clauses: brokenClauses(cases) },
  })
}

/** Returns the section of all cases. The page's script writes the list, of up to ten thousand, from data in the page. */
function renderCases(cases: Report['cases']): Markup {
  return html`<section id="cases" aria-labelledby="cases-title"><h2 id="cases-title">Cases</h2>
${renderFilter({ name: 'cases', choices: STATUSES, counts: countCases(cases), total: cases.length })}
<div id="cases-list"><noscript><p>The list of cases needs JavaScript. Every case that did not pass is shown under <a href="#failures">Failures</a>; all results are in <code>results.json</code>.</p></noscript></div></section>`
}

/** Returns a section of the page that holds a document; null if that is empty. */
function renderDocument(id: string, blocks: readonly Block[]): Markup | null {
  return blocks.length === 0 ? null : html`<section id="${id}">${toHtml(blocks, 2)}</section>`
}

type Entry = readonly [id: string, name: string, count: number | null]

function contentsOf(report: Report): readonly Entry[] {
  const { fail, inconclusive } = countCases(report.cases)
  const parts: readonly Entry[] = [
    ['failures', 'Failures', fail],
    ['inconclusive', 'Inconclusive', inconclusive],
    ['baseline', 'Baseline', report.baseline?.excused.length ?? 0],
    ['requirements', 'Requirements', report.requirements.length],
    ['cases', 'Cases', report.cases.length],
    ['timelines', 'Timelines', report.timelines.length],
    [
      'properties',
      'Properties',
      report.properties.reduce((sum, { properties }) => sum + properties.length, 0),
    ],
    ['open-points', 'Open points', report.openPoints.length],
  ]
  const always = new Set(['failures', 'requirements', 'cases'])
  return [['summary', 'Summary', null], ...parts.filter(([id, , count]) => always.has(id) || count !== 0)]
}
