import { type Report, STATUSES } from '../../report/model.ts'
import { html, type Markup } from '../markup.ts'
import { renderFilter } from '../parts/filter.ts'

/** Every check. The page fills the list as far as it is looked at: it may hold ten thousand. */
export function renderChecks({ results }: Report): Markup {
  const counts = new Map<string, number>()
  for (const { status } of results) counts.set(status, (counts.get(status) ?? 0) + 1)
  return html`<section id="checks" aria-labelledby="checks-title"><h2 id="checks-title">Cases</h2>
${renderFilter({ name: 'checks', choices: STATUSES, counts, total: results.length })}
<div id="checks-list"><noscript><p>The list of cases needs JavaScript. Everything that did not pass is shown in full under <a href="#failures">Failures</a>; all results are in <code>results.json</code>.</p></noscript></div>
<p class="print-only muted">Of a long list, paper gets the part that was looked at. All results are in results.json.</p></section>`
}
