import { plural } from '../../plural.ts'
import type { Report } from '../../report/model.ts'
import { html, type Markup, prose } from '../markup.ts'
import { anchor } from '../parts/marks.ts'

/** Renders the behaviour of the target where the specification is silent; never a failure. */
export function renderSilent({ silent, target }: Report): Markup {
  if (silent.length === 0) return html``
  return html`<section id="silent" aria-labelledby="silent-title"><h2 id="silent-title">Where the specification is silent</h2>
<p class="muted">${plural(silent.length, 'point')}. The behaviour is recorded and never fails.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Observations"><table class="silent-points"><thead><tr><th scope="col">Point</th><th scope="col">${target}</th></tr></thead><tbody>${silent.map(
    ({ id, statement, observed, section }) =>
      html`<tr><th scope="row"><a href="#${anchor('req', id)}"><code>${id}</code></a> <span class="muted">§${section}</span><br>${prose(statement)}</th><td>${observed === null ? html`<span class="muted">not observed</span>` : prose(observed)}</td></tr>`,
  )}</tbody></table></div></section>`
}
