import { causesOf, type Group } from '../../causes.ts'
import type { Report, ReportResult } from '../../report/model.ts'
import { html, type Markup } from '../markup.ts'
import { anchor, mark, plural } from '../parts/marks.ts'
import { renderResult } from '../parts/result.ts'

/** So many causes are written out, and so many checks of each; the list of checks holds them all. */
const MOST_CAUSES = 40
const OF_EACH = 2

/** What did not pass, in full: failures first, then what could not tell. */
export function renderFailures({ results, baseUrl }: Report): Markup {
  const { broken, untold } = causesOf(results)
  const all = [...broken, ...untold].flat()
  const written = [...broken, ...untold].slice(0, MOST_CAUSES).flat().length
  if (all.length === 0)
    return html`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures</h2><p>None.</p></section>`
  return html`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures</h2>
<p class="muted">${plural(broken.flat().length, 'case')} failed, for ${plural(broken.length, 'cause')}${untold.length > 0 && `; ${untold.flat().length} inconclusive, for ${plural(untold.length, 'reason')}`}. The first of each are shown in full here; all are listed under <a href="#checks">Cases</a>.</p>
${[...broken, ...untold].slice(0, MOST_CAUSES).map((group, index) => renderGroup(group, baseUrl, index === 0))}
${written < all.length && html`<p class="muted">and ${all.length - written} more, under <a href="#checks">Cases</a>.</p>`}
</section>`
}

function renderGroup(group: Group<ReportResult>, baseUrl: string | null, open: boolean): Markup {
  return html`${group.slice(0, OF_EACH).map(
    (
      result,
      index,
    ) => html`<details class="failure is-${result.status}" id="${anchor('failure', result.id)}"${open && index === 0 && html` open`}>
<summary>${mark(result.status)}<code class="line-id">${result.id}</code><span class="line-title">${headlineOf(result)}</span></summary>
<div class="line-body">${renderResult(result, baseUrl)}</div></details>`,
  )}
${group.length > OF_EACH && html`<p class="muted more-of-cause">${plural(group.length - OF_EACH, 'case')} more with this cause, such as <a href="#${anchor('check', group[OF_EACH]?.id ?? '')}"><code>${group[OF_EACH]?.id ?? ''}</code></a>.</p>`}`
}

function headlineOf({ failure, title, notes }: Report['results'][number]): string {
  const [first = ''] = (failure?.message ?? notes[0] ?? title).split('\n', 1)
  return first
}
