import { shortenText } from '../../../spec/cutText.ts'
import { type Cause, causesOf } from '../../causes.ts'
import { paragraph } from '../../document/model.ts'
import { anchor, caseRef } from '../../document/references.ts'
import { consequencesOf, fixFirstBlocks } from '../../documents/causes.ts'
import { clauseOf } from '../../documents/clauses.ts'
import { plural } from '../../plural.ts'
import { countCases, type Report, type ReportCase } from '../../report/model.ts'
import { inHtml, renderMark, toHtml } from '../document.ts'
import { html, type Markup } from '../markup.ts'
import { renderResult } from '../parts/result.ts'

/** Maximum number of causes shown in full, and of cases per cause; the list of cases has all of them. */
const MOST_CAUSES = 40
const OF_EACH = 2
const MOST_TO_FIX = 5

/** Returns all cases that did not pass, in full: failures, then, counted separately, cases without a verdict. */
export function renderFailures({ cases, baseUrl }: Report): Markup {
  const causes = causesOf(cases)
  const broken = causes.filter(({ status }) => status === 'fail')
  const inconclusive = causes.filter(({ status }) => status === 'inconclusive')
  const { fail, inconclusive: undecided } = countCases(cases)
  const all = plural(causes.length, 'cause')
  const among = (own: readonly unknown[]) => (own.length < causes.length ? `${own.length} of ${all}` : all)
  const failed = `${plural(fail, 'case')} failed, with ${among(broken)}.`
  const open = `${plural(undecided, 'case')} ended without a verdict, with ${among(inconclusive)}. They count as neither failures nor passes.`
  const none = cases.some(({ status }) => status === 'excused')
    ? html`<p>None but the <a href="#baseline">known failures</a>.</p>`
    : html`<p>None.</p>`
  return html`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures</h2>
${toHtml(fixFirstBlocks(causes, MOST_TO_FIX))}${broken.length === 0 ? none : renderCauses(failed, broken, baseUrl)}</section>
${inconclusive.length > 0 && html`<section id="inconclusive" aria-labelledby="inconclusive-title"><h2 id="inconclusive-title">Inconclusive</h2>${renderCauses(open, inconclusive, baseUrl)}</section>`}`
}

type ReportCause = Cause<ReportCase>

function renderCauses(counted: string, causes: readonly ReportCause[], baseUrl: string | null): Markup {
  const left = causes.length - MOST_CAUSES
  const shown = new Set<string>()
  return html`<p class="muted">${counted} The first cases of each are shown here; the <a href="#cases">list of cases</a> has all of them.</p>
${causes.slice(0, MOST_CAUSES).map((cause, index) => renderCause(cause, shown, baseUrl, index === 0))}
${left > 0 && html`<p class="muted">and ${plural(left, 'more cause')}; their cases are in the <a href="#cases">list of cases</a>.</p>`}`
}

/** @param shown cases that are shown already: one with two causes is shown once. */
function renderCause(cause: ReportCause, shown: Set<string>, baseUrl: string | null, open: boolean): Markup {
  const results = cause.rows.filter(({ id }) => !shown.has(id)).slice(0, OF_EACH)
  for (const { id } of results) shown.add(id)
  const others = cause.rows.filter((row) => !results.includes(row))
  const [other] = others
  const more = `${plural(others.length, 'case')} more with the cause ${shortName(cause)}, such as `
  const consequences = consequencesOf(cause)
  return html`${results.map(
    (
      result,
      index,
    ) => html`<details class="failure is-${result.status}" id="${anchor('failure', result.id)}"${open && index === 0 && html` open`}>
<summary>${renderMark(result.status)}<code class="line-id">${result.id}</code><span class="line-title">${inHtml(headlineOf(result))}</span></summary>
<div class="line-body">${renderResult(result, baseUrl, clauseOf)}</div></details>`,
  )}
${other !== undefined && toHtml([paragraph(more, caseRef(other.id), consequences === '' ? '.' : `; ${consequences}.`)])}`
}

const CHARACTERS = 80

const shortName = ({ name }: ReportCause) => shortenText(name.split('\n', 1)[0] ?? '', CHARACTERS)

function headlineOf({ failure, title, notes }: ReportCase): string {
  const [first = ''] = (failure?.message ?? notes[0] ?? title).split('\n', 1)
  return first
}
