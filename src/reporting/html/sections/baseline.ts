import type { BaselineEntry } from '../../baselineFormat.ts'
import { type BaselineLine, countKnown, describeBaseline } from '../../baselineText.ts'
import { plural } from '../../plural.ts'
import { countRequirements } from '../../report/counts.ts'
import type { Report } from '../../report/model.ts'
import { html, type Markup, prose } from '../markup.ts'
import { anchor } from '../parts/marks.ts'
import { renderExcuse } from '../parts/result.ts'

/** Returns what the baseline of a run means for it: the known failures with their excuses; what must go comes after the failures. */
export function renderBaseline(report: Report): Markup {
  const { baseline } = report
  if (baseline === null) return html``
  const lines = describeBaseline(report, countRequirements(report.requirements).excused)
  const { excused, stale, expired } = baseline
  const outdated = stale.length + expired.length
  return html`<h3 id="baseline">Baseline</h3>
${lines.length === 0 ? html`<p>No entry of the baseline is about a case of this run.</p>` : renderLines(lines.filter((line) => !isOutdated(line)))}
${outdated > 0 && html`<p><a href="#outdated">${plural(outdated, 'entry', 'entries')} of the baseline</a> must be taken out or renewed.</p>`}
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

/** Returns the entries that fail the run, by cause, folded; nothing where there are none. */
export function renderOutdated(report: Report): Markup {
  const lines = describeBaseline(report).filter(isOutdated)
  if (lines.length === 0) return html``
  const count = (report.baseline?.stale.length ?? 0) + (report.baseline?.expired.length ?? 0)
  return html`<details class="gap" id="outdated"><summary><b>${plural(count, 'entry', 'entries')} of the baseline</b> <span class="muted">Stale or expired, by cause.</span></summary>${renderLines(lines)}</details>`
}

function isOutdated({ kind }: BaselineLine): boolean {
  return kind === 'stale' || kind === 'expired'
}

function renderLines(lines: readonly BaselineLine[]): Markup {
  return html`<ul class="notes">${lines.map(({ kind, text }) => html`<li>${kind !== 'excused' && html`<b class="is-fail">${kind}</b> `}${text}</li>`)}</ul>`
}
