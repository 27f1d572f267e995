import { countCases, type Report, STATUSES } from '../../report/model.ts'
import { html, type Markup } from '../markup.ts'
import { renderFilter } from '../parts/filter.ts'

/** All cases. The page's script fills in only the visible part of the list, which may have ten thousand entries. */
export function renderCases({ cases }: Report): Markup {
  return html`<section id="cases" aria-labelledby="cases-title"><h2 id="cases-title">Cases</h2>
${renderFilter({ name: 'cases', choices: STATUSES, counts: countCases(cases), total: cases.length })}
<div id="cases-list"><noscript><p>The list of cases needs JavaScript. Every case that did not pass is shown under <a href="#failures">Failures</a>; all results are in <code>results.json</code>.</p></noscript></div></section>`
}
