import { plural } from '../../plural.ts'
import type { Report } from '../../report/model.ts'
import { html, type Markup, prose } from '../markup.ts'
import { anchor } from '../parts/marks.ts'

/** The behaviour of each target where the specification is silent, side by side; never a failure. */
export function renderSilent({ silent }: Report): Markup {
  const { sources, points } = silent
  if (points.length === 0) return html``
  const differing = points.filter(
    ({ observed }) => new Set(observed.filter((what) => what !== null)).size > 1,
  )
  return html`<section id="silent" aria-labelledby="silent-title"><h2 id="silent-title">Where the specification is silent</h2>
<p class="muted">${plural(points.length, 'point')}. The behaviour is recorded and never fails.${
    sources.length > 1 &&
    ` The ${sources.length} targets differ on ${plural(differing.length, 'point')}, marked ≠.`
  }</p>
<div class="scroll" tabindex="0" role="region" aria-label="Observations"><table class="silent-points"><thead><tr><th scope="col">Point</th>${sources.map(
    (source) => html`<th scope="col">${source}</th>`,
  )}</tr></thead><tbody>${points.map((point) => {
    const { id, statement, observed, section } = point
    return html`<tr><th scope="row">${differing.includes(point) && html`<b class="is-inconclusive" title="the targets differ">≠ </b>`}<a href="#${anchor('req', id)}"><code>${id}</code></a> <span class="muted">§${section}</span><br>${prose(statement)}</th>${observed.map(
      (what) => html`<td>${what === null ? html`<span class="muted">not observed</span>` : prose(what)}</td>`,
    )}</tr>`
  })}</tbody></table></div></section>`
}
