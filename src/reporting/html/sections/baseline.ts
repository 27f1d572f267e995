import { describeBaseline } from '../../baseline.ts'
import { plural } from '../../plural.ts'
import type { Report } from '../../report/model.ts'
import { html, type Markup } from '../markup.ts'
import { anchor } from '../parts/marks.ts'
import { renderExcuse } from '../parts/result.ts'

/** What the baseline of a run means for it: the known failures with their excuses, and the entries that must go. */
export function renderBaseline(report: Report): Markup {
  const { baseline } = report
  if (baseline === null) return html``
  const lines = describeBaseline(report)
  const { excused } = baseline
  return html`<h3 id="baseline">Baseline</h3>
${lines.length === 0 ? html`<p>No entry of the baseline is about a case of this run.</p>` : html`<ul class="notes">${lines.map(({ kind, text }) => html`<li>${kind !== 'excused' && html`<b class="is-fail">${kind}</b> `}${text}</li>`)}</ul>`}
${
  excused.length > 0 &&
  html`<details class="gap"><summary><b>${plural(excused.length, 'known failure')}</b> <span class="muted">Each with its reason and its last day.</span></summary><ul class="excuses">${excused.map(
    (entry) =>
      html`<li><a href="#${anchor('case', entry.case)}"><code>${entry.case}</code></a> violates <a href="#${anchor('req', entry.requirement)}"><code>${entry.requirement}</code></a>${renderExcuse(entry)}</li>`,
  )}</ul></details>`
}`
}
