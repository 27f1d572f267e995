import { type Cause, causesOf } from '../../causes.ts'
import { caseSection } from '../../documents/causes.ts'
import { plural } from '../../plural.ts'
import { type Report, type ReportCase, VERDICTS, type Verdict } from '../../report/model.ts'
import { renderMark, toHtml } from '../document.ts'
import { html, type Markup } from '../markup.ts'

/** Numbers of causes that fit on ten pages with everything else; the style sheet cuts long texts. */
const CAUSES_MAX = 14
const REASONS_MAX = 6
/** Maximum number of ids of requirements for each verdict. */
const IDS_MAX = 300
/** Maximum for texts on paper; the style sheet cuts them to a few lines. */
const ON_PAPER = { exchanges: 1, characters: 600 }

/** Verdicts that are not printed, as they need no attention. */
const UNPRINTED: ReadonlySet<Verdict> = new Set(['pass', 'observed'])

/**
 * Returns the replacement of the lists in a printed report, on a few pages: each cause with its clause and its exchange, the
 * reasons for inconclusive cases, and the requirements that did not pass.
 */
export function renderPrinted({ cases, requirements, timelines }: Report): Markup {
  const causes = causesOf(cases)
  const broken = causes.filter(({ status }) => status === 'fail')
  const inconclusive = causes.filter(({ status }) => status === 'inconclusive')
  const drawn = timelines.length > 0 ? ', the first timelines' : ''
  return html`<section class="print-only printed" aria-label="Print view">
${renderCauses('Failures', broken, CAUSES_MAX)}
${renderCauses('Inconclusive', inconclusive, REASONS_MAX)}
<h2>Requirements that did not pass</h2>
${VERDICTS.map((verdict) => {
  const ids = requirements.filter((requirement) => requirement.verdict === verdict).map(({ id }) => id)
  if (UNPRINTED.has(verdict) || ids.length === 0) return null
  const left = ids.length - IDS_MAX
  return html`<p class="printed-ids">${renderMark(verdict)} <b>${ids.length}</b>: ${ids.slice(0, IDS_MAX).join(', ')}${left > 0 && ` and ${left} more`}</p>`
})}
<p class="muted">The print view has the verdict, the causes${drawn} and the requirements that did not pass. Everything else is in report.html and results.json.</p></section>`
}

function renderCauses(title: string, causes: readonly Cause<ReportCase>[], most: number): Markup {
  const left = causes.length - most
  const cases = new Set(causes.flatMap(({ rows }) => rows)).size
  const count = `${plural(cases, 'case')}, with ${plural(causes.length, 'cause')}.`
  return html`<h2>${title}</h2><p class="muted">${causes.length === 0 ? 'None.' : count}</p>
${causes.slice(0, most).map(({ rows: [first, ...others] }) => html`<div class="printed-cause">${toHtml([caseSection(first, null, ON_PAPER)], 4)}${others.length > 0 && html`<div>and ${plural(others.length, 'case')} more</div>`}</div>`)}
${left > 0 && html`<p class="muted">and ${plural(left, 'cause')} more.</p>`}`
}
