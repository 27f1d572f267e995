import type { RecordingSummary } from '../../report/recordingSummary.ts'
import { VERIFY_STAGES } from '../../report/selfCheck.ts'
import { html, type Markup } from '../markup.ts'

/** Returns the element that shows, stage by stage, how the page verifies its recording at `index`. */
export function renderSelfCheck(index: number, written: RecordingSummary['verdict']): Markup {
  return html`<section class="self-check" data-self-check="${index}" data-written="${written}" aria-label="Verified when this page is opened"><h4>Verified by this page, when it is opened</h4>${renderStages()}</section>`
}

/** Returns the element in which a reader verifies another file with the page's program, and the licences of that program. */
export function renderOwnFile(licences: readonly string[]): Markup {
  return html`<div class="own-file" data-own-file><label>Verify another recording, here and without network: <input type="file" accept=".json,application/json"></label>
<div class="self-check" data-stages hidden>${renderStages()}</div>
<details class="small muted"><summary>Licences of the programs in this page</summary><ul>${licences.map((each) => html`<li>${each}</li>`)}</ul></details></div>`
}

function renderStages(): Markup {
  return html`<ol class="stages">${Object.entries(VERIFY_STAGES).map(
    ([stage, proves]) =>
      html`<li data-stage="${stage}" data-state="waits"><span class="sign" aria-hidden="true">○</span> <span class="sr">not verified: </span>${proves}</li>`,
  )}</ol><p role="status">Not verified here: this browser runs no scripts.</p>`
}
