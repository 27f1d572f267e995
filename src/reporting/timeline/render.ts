import { html, type Markup } from '../html/markup.ts'
import { anchor } from '../html/parts/marks.ts'
import { drawTimeline } from './draw.ts'
import { layOut } from './layout.ts'
import type { Timeline } from './model.ts'
import { renderSteps } from './steps.ts'

/** One timeline: the drawing next to the list of steps. */
export function renderTimeline(timeline: Timeline, opened: boolean): Markup {
  const { id, title, description, problem } = timeline
  return html`<details class="timeline-box" id="${anchor('timeline', id)}"${opened && html` open`}><summary><h3>${title}</h3></summary>
${description !== undefined && html`<p>${description}</p>`}${problem !== null && html`<p class="blame">${problem}</p>`}
<div class="timeline-panes"><div class="scroll drawing" tabindex="0" role="region" aria-label="${title}, drawn" data-timeline="${id}">${drawTimeline(timeline, layOut(timeline))}</div>
${renderSteps(timeline)}</div></details>`
}
