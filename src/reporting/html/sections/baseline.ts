import type { BaselineEntry } from '../../baselineFormat.ts'
import { countKnown, describeBaseline } from '../../baselineText.ts'
import type { Report } from '../../report/model.ts'
import { html, type Markup, prose } from '../markup.ts'
import { anchor } from '../parts/marks.ts'
import { renderExcuse } from '../parts/result.ts'

/** What the baseline of a run means for it: the known failures with their excuses, and the entries that must go. */
export function renderBaseline(report: Report): Markup {
  const { baseline } = report
  if (baseline === null) return html``
  const requirements = report.requirements.filter(({ verdict }) => verdict === 'excused').length
  const lines = describeBaseline(report, requirements)
  const { excused } = baseline
  return html`<h3 id="baseline">Baseline</h3>
${lines.length === 0 ? html`<p>No entry of the baseline is about a case of this run.</p>` : html`<ul class="notes">${lines.map(({ kind, text }) => html`<li>${kind !== 'excused' && html`<b class="is-fail">${kind}</b> `}${text}</li>`)}</ul>`}
${
  excused.length > 0 &&
  html`<details class="gap"><summary><b>${countKnown(excused)}</b> <span class="muted">Each with its reason and its last day.</span></summary><ul class="excuses">${excused.map(
    (entry) =>
      html`<li><a href="#${anchor('case', entry.case)}"><code>${entry.case}</code></a> ${renderEnd(entry)}${renderExcuse(entry)}</li>`,
  )}</ul></details>`
}`
}

function renderEnd({ requirement, inconclusive = '' }: BaselineEntry): Markup {
  return requirement === undefined
    ? html`is inconclusive: ${prose(inconclusive)}`
    : html`violates <a href="#${anchor('req', requirement)}"><code>${requirement}</code></a>`
}
