import type { Report } from '../../report/model.ts'
import { renderTimeline } from '../../timeline/render.ts'
import { html, type Markup } from '../markup.ts'

/** The stories of the run, drawn. */
export function renderTimelines({ timelines }: Report): Markup {
  if (timelines.length === 0) return html``
  return html`<section id="timelines" aria-labelledby="timelines-title"><h2 id="timelines-title">Timelines</h2>
<p class="muted">Time runs down. A branch of orphaned blocks is drawn next to the chain, dashed. A click on a line opens its step.</p>
${timelines.map((timeline, index) => renderTimeline(timeline, index === 0))}</section>`
}
