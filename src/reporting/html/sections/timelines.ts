import type { Report } from '../../report/model.ts'
import { renderTimeline } from '../../timeline/render.ts'
import { html, type Markup } from '../markup.ts'

/** The timelines of the run's scenarios. */
export function renderTimelines({ timelines }: Report): Markup {
  if (timelines.length === 0) return html``
  return html`<section id="timelines" aria-labelledby="timelines-title"><h2 id="timelines-title">Timelines</h2>
<p class="muted">Time runs downwards. An orphaned branch is drawn next to the canonical chain, dashed, up to where it was orphaned. Click a line to open its step.</p>
${timelines.map((timeline, index) => renderTimeline(timeline, index === 0))}</section>`
}
