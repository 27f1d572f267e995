import type { Report } from '../../report/model.ts'
import { drawTimeline } from '../../timeline/draw.ts'
import { layOut } from '../../timeline/layout.ts'
import type { Timeline } from '../../timeline/model.ts'
import { renderSteps } from '../../timeline/steps.ts'
import { html, type Markup, prose } from '../markup.ts'
import { anchor } from '../parts/marks.ts'

/** The timelines of the run's scenarios. */
export function renderTimelines({ timelines }: Pick<Report, 'timelines'>): Markup {
  if (timelines.length === 0) return html``
  return html`<section id="timelines" aria-labelledby="timelines-title"><h2 id="timelines-title">Timelines</h2>
<p class="muted">Time runs downwards. An orphaned branch is drawn next to the canonical chain, dashed, up to where it was orphaned. Click a line to open its step.</p>
${timelines.map((timeline, index) => renderTimeline(timeline, index === 0))}</section>`
}

/** One timeline: the drawing next to the list of steps. */
function renderTimeline(timeline: Timeline, opened: boolean): Markup {
  const { id, title, description, problem } = timeline
  return html`<details class="timeline-box" id="${anchor('timeline', id)}"${opened && html` open`}><summary><h3>${title}</h3></summary>
${description !== undefined && html`<p>${prose(description)}</p>`}${problem !== null && html`<p class="blame">${prose(problem)}</p>`}
<div class="timeline-panes"><div class="scroll drawing" tabindex="0" role="region" aria-label="${title}, drawn" data-timeline="${id}">${drawTimeline(timeline, layOut(timeline))}</div>
${renderSteps(timeline)}</div></details>`
}
