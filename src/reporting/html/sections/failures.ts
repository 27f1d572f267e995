import type { Report } from '../../report/model.ts'
import { html, type Markup } from '../markup.ts'
import { anchor, mark, plural } from '../parts/marks.ts'
import { renderResult } from '../parts/result.ts'

/** So many are written out; a run in which more fails has one cause, and the list of checks holds them all. */
const WRITTEN_OUT = 40

/** What did not pass, in full: failures first, then what could not tell. */
export function renderFailures({ results, baseUrl }: Report): Markup {
  const failures = results.filter(({ status }) => status === 'fail')
  const open = results.filter(({ status }) => status === 'inconclusive')
  const all = [...failures, ...open]
  if (all.length === 0)
    return html`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures</h2><p>None.</p></section>`
  return html`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures</h2>
<p class="muted">${plural(failures.length, 'check')} failed${open.length > 0 && `, ${open.length} could not tell`}. The first ones are written out here; every one is among the <a href="#checks">checks</a>.</p>
${all.slice(0, WRITTEN_OUT).map(
  (
    result,
    index,
  ) => html`<details class="failure is-${result.status}" id="${anchor('failure', result.id)}"${index === 0 && html` open`}>
<summary>${mark(result.status)}<code class="line-id">${result.id}</code><span class="line-title">${headlineOf(result)}</span></summary>
<div class="line-body">${renderResult(result, baseUrl)}</div></details>`,
)}
${all.length > WRITTEN_OUT && html`<p class="muted">and ${all.length - WRITTEN_OUT} more, among the <a href="#checks">checks</a>.</p>`}
</section>`
}

function headlineOf({ failure, title, notes }: Report['results'][number]): string {
  const [first = ''] = (failure?.message ?? notes[0] ?? title).split('\n', 1)
  return first
}
