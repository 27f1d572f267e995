import type { Report } from '../../report/model.ts'
import { html, type Markup } from '../markup.ts'

/** The service's overhead over its raw calls, measured in one run. */
export function renderRatios({ ratios }: Report): Markup {
  if (ratios.length === 0) return html``
  return html`<section id="ratios" aria-labelledby="ratios-title"><h2 id="ratios-title">Performance</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Performance ratios"><table class="figures"><thead><tr><th scope="col">Ratio</th><th scope="col">Measured</th><th scope="col">Target</th></tr></thead><tbody>${ratios.map(
    ({ name, what, value, atMost, atLeast, unit }) =>
      html`<tr><th scope="row">${name}<br><span class="muted">${what}</span></th><td class="${value > (atMost ?? value) || value < (atLeast ?? value) ? 'is-fail' : ''}">${value.toFixed(2)} ${unit}</td><td>${targetOf(atMost, atLeast, unit)}</td></tr>`,
  )}</tbody></table></div></section>`
}

function targetOf(atMost: number | null, atLeast: number | undefined, unit: string): string {
  if (atMost !== null) return `at most ${atMost} ${unit}`
  return atLeast === undefined ? '–' : `at least ${atLeast} ${unit}`
}
