import { plural } from '../../plural.ts'
import type { Report } from '../../report/model.ts'
import { html, type Markup, prose } from '../markup.ts'
import { anchor } from '../parts/marks.ts'

/** Every defect with the requirements it violates and the cases that kill it, survivors first; then the unproven requirements. */
export function renderKillMatrix({ killMatrix, requirements }: Report): Markup {
  if (killMatrix === null) return html``
  const defects = killMatrix.requirements.flatMap(({ id: breaks, defects }) =>
    defects.map((defect) => ({ ...defect, breaks })),
  )
  const survivors = defects.filter(({ killedBy }) => killedBy === null)
  const unproven = requirements.filter(
    ({ level, killedBy }) => level === 'must' && killedBy !== null && killedBy.length === 0,
  )
  const ordered = [...survivors, ...defects.filter(({ killedBy }) => killedBy !== null)]
  return html`<section id="kill-matrix" aria-labelledby="kill-matrix-title"><h2 id="kill-matrix-title">Kill matrix</h2>
<p>${plural(defects.length - survivors.length, 'defect')} of ${defects.length} ${defects.length === 1 ? 'is' : 'are'} killed${survivors.length > 0 && html`; <b class="is-fail">${plural(survivors.length, 'survives', 'survive')}</b>`}. <span class="muted">From <code>plumbline prove, seed ${killMatrix.seed}</code>.</span></p>
${
  unproven.length > 0 &&
  html`<details class="gap"><summary><b>${plural(unproven.length, 'requirement')}</b> <span class="muted">unproven: no known defect violates them</span></summary><ul class="ids">${unproven.map(
    ({ id }) => html`<li><a href="#${anchor('req', id)}"><code>${id}</code></a></li>`,
  )}</ul></details>`
}
<div class="scroll tall" tabindex="0" role="region" aria-label="Defects"><table class="matrix"><thead><tr><th scope="col">Defect</th><th scope="col">Violates</th><th scope="col">Killed by</th><th scope="col">Also detected by</th></tr></thead><tbody>${ordered.map(
    ({ id, title, breaks, killedBy, collateral }) =>
      html`<tr class="${killedBy === null ? 'survivor' : ''}"><th scope="row"><code>${id}</code><br><span class="muted">${prose(title)}</span></th><td><a href="#${anchor('req', breaks)}"><code>${breaks}</code></a> </td><td>${killedBy === null ? html`<b class="is-fail">survives</b>` : casesIn([killedBy])}</td><td>${collateral.length > 0 && html`<details><summary>${plural(collateral.length, 'case')}</summary>${casesIn(collateral)}</details>`}</td></tr>`,
  )}</tbody></table></div></section>`
}

function casesIn(alarms: readonly { readonly case: string }[]): Markup {
  return html`<ul class="ids">${alarms.map(({ case: id }) => html`<li><a href="#${anchor('case', id)}"><code>${id}</code></a></li>`)}</ul>`
}
