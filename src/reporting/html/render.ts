import { verdictInWords } from '../baselineText.ts'
import { baselineBlocks } from '../documents/baseline.ts'
import { brokenClauses } from '../documents/clauses.ts'
import type { Report } from '../report/model.ts'
import { countCases } from '../report/model.ts'
import { toHtml } from './document.ts'
import { html } from './markup.ts'
import { dateOf } from './parts/marks.ts'
import { renderCases } from './sections/cases.ts'
import { renderFailures } from './sections/failures.ts'
import { renderPrinted } from './sections/printed.ts'
import { renderProperties } from './sections/properties.ts'
import { renderRequirements } from './sections/requirements.ts'
import { renderSilent } from './sections/silent.ts'
import { renderSummary } from './sections/summary.ts'
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
${renderRequirements(report)}
${renderCases(report)}
${renderTimelinesOf(report)}
${renderProperties(report)}
${renderSilent(report)}`,
    data: { cases, baseUrl, clauses: brokenClauses(cases) },
  })
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
    ['silent', 'Silent points', report.silent.length],
  ]
  const always = new Set(['failures', 'requirements', 'cases'])
  return [['summary', 'Summary', null], ...parts.filter(([id, , count]) => always.has(id) || count !== 0)]
}
