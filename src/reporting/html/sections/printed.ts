import { causesOf, type Group } from '../../causes.ts'
import { excerpt, fieldsOf } from '../../excerpt.ts'
import { plural } from '../../plural.ts'
import { type Report, type ReportCase, VERDICTS, type Verdict } from '../../report/model.ts'
import { html, type Markup, prose } from '../markup.ts'
import { mark } from '../parts/marks.ts'

/** So many fit on ten pages with everything else, however long their texts are: the style sheet cuts those. */
const CAUSES_MAX = 14
const REASONS_MAX = 6
/** Ids of requirements for each verdict. */
const IDS_MAX = 300
/** No text on paper is longer; the style sheet cuts it to a few lines. */
const CHARACTERS_MAX = 600

/** What attracts no attention on paper: it is as it should be. */
const UNPRINTED: ReadonlySet<Verdict> = new Set(['pass', 'observed'])

/**
 * Returns what a printed report has instead of its lists, on a few pages: each cause with its clause and its exchange, the reasons
 * of what is inconclusive, and the requirements that did not pass.
 */
export function renderPrinted({ cases, requirements, timelines }: Report): Markup {
  const { broken, inconclusive } = causesOf(cases)
  const drawn = timelines.length > 0 ? ', the first timelines' : ''
  return html`<section class="print-only printed" aria-label="Print view">
${renderCauses('Failures', 'cause', broken, CAUSES_MAX)}
${renderCauses('Inconclusive', 'reason', inconclusive, REASONS_MAX)}
<h2>Requirements that did not pass</h2>
${VERDICTS.map((verdict) => {
  const ids = requirements.filter((requirement) => requirement.verdict === verdict).map(({ id }) => id)
  if (UNPRINTED.has(verdict) || ids.length === 0) return null
  const left = ids.length - IDS_MAX
  return html`<p class="printed-ids">${mark(verdict)} <b>${ids.length}</b>: ${ids.slice(0, IDS_MAX).join(', ')}${left > 0 && ` and ${left} more`}</p>`
})}
<p class="muted">The print view has the verdict, the causes${drawn} and the requirements that did not pass. Everything else is in report.html and results.json.</p></section>`
}

function renderCauses(
  title: string,
  what: string,
  groups: readonly Group<ReportCase>[],
  most: number,
): Markup {
  const left = groups.length - most
  return html`<h2>${title}</h2>
${groups.length === 0 ? html`<p>None.</p>` : html`<p class="muted">${plural(groups.flat().length, 'case')}, with ${plural(groups.length, what)}.</p>`}
${groups.slice(0, most).map(renderCause)}
${left > 0 && html`<p class="muted">and ${plural(left, what)} more.</p>`}`
}

function renderCause([result, ...others]: Group<ReportCase>): Markup {
  const { id, failure, notes, clause } = result
  const exchange = failure?.exchanges.at(-1)
  const more = others.length === 0 ? '' : `, and ${plural(others.length, 'case')} more`
  const texts: readonly (readonly [string, string])[] =
    failure === null
      ? [['Reason', notes[0] ?? '']]
      : [
          ['Expected', failure.expected],
          ['Actual', failure.actual],
        ]
  return html`<div class="printed-cause">${mark(result.status)} <code>${id}</code>${more}
<dl>${failure?.requirement != null && html`<div><dt>Clause</dt><dd><code>${failure.requirement}</code>${clause !== null && html` ${prose(clause)}`}</dd></div>`}${texts.map(
    ([name, text]) => html`<div><dt>${name}</dt><dd>${prose(text.slice(0, CHARACTERS_MAX))}</dd></div>`,
  )}${exchange !== undefined && html`<div><dt>Exchange</dt><dd><b>${exchange.request.method}</b> <code>${exchange.request.path.slice(0, CHARACTERS_MAX)}</code> → ${exchange.response.status} <code>${excerpt(exchange.response.body, fieldsOf(result), CHARACTERS_MAX)}</code></dd></div>`}</dl></div>`
}
