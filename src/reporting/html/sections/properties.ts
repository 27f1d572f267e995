import type { Report } from '../../report/model.ts'
import { html, type Markup } from '../markup.ts'
import { anchor, mark, plural } from '../parts/marks.ts'

/** Each property with how many inputs it met, and how they were spread over the classes that it must cover. */
export function renderProperties({ properties }: Report): Markup {
  if (properties.length === 0) return html``
  return html`<section id="properties" aria-labelledby="properties-title"><h2 id="properties-title">Properties</h2>
<p class="muted">Sentences that must hold for every input drawn. A bar is the share of inputs of one class; the tick is the least that must be met.</p>
<div class="property-grid">${properties.map(renderProperty)}</div></section>`
}

function renderProperty({
  id,
  title,
  status,
  runs,
  discarded,
  labels,
}: Report['properties'][number]): Markup {
  return html`<article class="property"><h3>${mark(status)} <a href="#${anchor('check', id)}"><code>${id}</code></a></h3><p>${title}</p>
<p class="muted small">${plural(runs, 'input')}${discarded > 0 && `, ${discarded} discarded`}</p>
${
  labels.length > 0 &&
  html`<table class="bars"><caption class="sr">Classes of inputs of ${id}</caption><thead class="sr"><tr><th scope="col">Class</th><th scope="col">Share</th><th scope="col">Inputs</th></tr></thead><tbody>${labels.map(
    ({ name, count, floor }) =>
      html`<tr class="${count < floor ? 'below' : ''}"><th scope="row">${name}</th><td class="bar-cell"><svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-fill" width="${shareOf(count, runs)}" height="10"/>${
        floor > 0 &&
        html`<rect class="bar-floor" x="${Math.min(99, shareOf(floor, runs))}" width="1" height="10"/>`
      }</svg></td><td>${count}${count < floor && html` <span class="is-inconclusive">of ${floor}</span>`}</td></tr>`,
  )}</tbody></table>`
}</article>`
}

function shareOf(count: number, runs: number): number {
  return runs === 0 ? 0 : Math.min(100, Math.round((1000 * count) / runs) / 10)
}
