import { causesOf } from '../../causes.ts'
import { paragraph } from '../../document/model.ts'
import { anchor, caseRef } from '../../document/references.ts'
import { fixFirstBlocks } from '../../documents/causes.ts'
import { clauseOf } from '../../documents/clauses.ts'
import type { Group } from '../../groupBy.ts'
import { plural } from '../../plural.ts'
import type { Report, ReportCase } from '../../report/model.ts'
import { inHtml, renderMark, toHtml } from '../document.ts'
import { html, type Markup } from '../markup.ts'
import { renderResult } from '../parts/result.ts'

/** Maximum number of causes shown in full, and of cases per cause; the list of cases has all of them. */
const MOST_CAUSES = 40
const OF_EACH = 2
const MOST_TO_FIX = 5

/** All cases that did not pass, in full: failures, and after them, counted apart, what ended without a verdict. */
export function renderFailures({ cases, baseUrl }: Report): Markup {
  const { broken, inconclusive } = causesOf(cases)
  const failed = `${plural(broken.flat().length, 'case')} failed, with ${plural(broken.length, 'cause')}.`
  const open = `${plural(inconclusive.flat().length, 'case')} ended without a verdict, for ${plural(inconclusive.length, 'reason')}. They are no failures, and no passes.`
  const none = cases.some(({ status }) => status === 'excused')
    ? html`<p>None but the <a href="#baseline">known failures</a>.</p>`
    : html`<p>None.</p>`
  return html`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures</h2>
${toHtml(fixFirstBlocks(cases, MOST_TO_FIX))}${broken.length === 0 ? none : renderGroups(failed, broken, baseUrl)}</section>
${inconclusive.length > 0 && html`<section id="inconclusive" aria-labelledby="inconclusive-title"><h2 id="inconclusive-title">Inconclusive</h2>${renderGroups(open, inconclusive, baseUrl)}</section>`}`
}

function renderGroups(counted: string, groups: readonly Group<ReportCase>[], baseUrl: string | null): Markup {
  const left = groups.slice(MOST_CAUSES).flat().length
  return html`<p class="muted">${counted} The first cases of each are shown here; the <a href="#cases">list of cases</a> has all of them.</p>
${groups.slice(0, MOST_CAUSES).map((group, index) => renderGroup(group, baseUrl, index === 0))}
${left > 0 && html`<p class="muted">and ${left} more in the <a href="#cases">list of cases</a>.</p>`}`
}

function renderGroup(group: Group<ReportCase>, baseUrl: string | null, open: boolean): Markup {
  const [, , third] = group
  const more = `${plural(group.length - OF_EACH, 'case')} more with this cause, such as `
  return html`${group.slice(0, OF_EACH).map(
    (
      result,
      index,
    ) => html`<details class="failure is-${result.status}" id="${anchor('failure', result.id)}"${open && index === 0 && html` open`}>
<summary>${renderMark(result.status)}<code class="line-id">${result.id}</code><span class="line-title">${inHtml(headlineOf(result))}</span></summary>
<div class="line-body">${renderResult(result, baseUrl, clauseOf)}</div></details>`,
  )}
${third !== undefined && toHtml([paragraph(more, caseRef(third.id), '.')])}`
}

function headlineOf({ failure, title, notes }: ReportCase): string {
  const [first = ''] = (failure?.message ?? notes[0] ?? title).split('\n', 1)
  return first
}
