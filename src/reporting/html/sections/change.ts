import { changedLists } from '../../report/compareRuns.ts'
import type { ReportChange } from '../../report/model.ts'
import { html, type Markup, prose } from '../markup.ts'
import { anchor } from '../parts/marks.ts'

const SHOWN = 20

/** Returns the differences from an earlier run or a baseline, the worst first. */
export function renderChange(change: ReportChange): Markup {
  const changed = changedLists(change)
  return html`<h3>What changed</h3><p class="muted">Compared with ${change.against}.</p>
${changed.length === 0 && change.changedEvidence.length === 0 && html`<p>Nothing: every case has the same result and the same evidence.</p>`}
${changed.length > 0 && html`<dl class="changes">${changed.map(([name, ids]) => html`<div><dt>${name} <b>${ids.length}</b></dt><dd>${renderIds(ids)}</dd></div>`)}</dl>`}
${
  change.changedEvidence.length > 0 &&
  html`<details class="gap"><summary><b>${change.changedEvidence.length}</b> with changed evidence</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Changed evidence"><table><thead><tr><th scope="col">Case</th><th scope="col">Before</th><th scope="col">Now</th></tr></thead><tbody>${change.changedEvidence
    .slice(0, SHOWN * 5)
    .map(
      ({ id, before, after }) =>
        html`<tr><th scope="row"><code>${id}</code></th><td>${prose(before)}</td><td>${prose(after)}</td></tr>`,
    )}</tbody></table></div>${
    change.changedEvidence.length > SHOWN * 5 &&
    html`<p class="muted">and ${change.changedEvidence.length - SHOWN * 5} more</p>`
  }</details>`
}`
}

function renderIds(ids: readonly string[]): Markup {
  return html`<ul class="ids">${ids
    .slice(0, SHOWN)
    .map((id) => html`<li><a href="#${anchor('case', id)}"><code>${id}</code></a></li>`)}${
    ids.length > SHOWN && html`<li class="muted">and ${ids.length - SHOWN} more</li>`
  }</ul>`
}
