import { html, type Markup } from '../html/markup.ts'
import { plural } from '../plural.ts'
import { drawTimeline } from './draw.ts'
import { layOut } from './layout.ts'
import type { Timeline } from './model.ts'
import type { Row } from './rows.ts'
import { renderSteps } from './steps.ts'
import { describe } from './words.ts'

/** Returns the index of the first event in which two timelines differ; null: they are equal. */
export function firstDifferentEvent(one: Timeline, other: Timeline): number | null {
  const length = Math.max(one.events.length, other.events.length)
  for (let at = 0; at < length; at += 1) {
    if (identity(one, at) !== identity(other, at)) return at
  }
  return null
}

/** Returns an event as known at its time: without the response that a request holds for display, which is a later event. */
function identity({ events }: Timeline, at: number): string | undefined {
  const event = events[at]
  if (event?.kind === 'request') return JSON.stringify({ ...event, exchange: event.exchange.request })
  if (event?.kind !== 'answer') return JSON.stringify(event)
  const request = events.find((other) => other.kind === 'request' && other.id === event.id)
  return JSON.stringify([event, request?.kind === 'request' && request.exchange.response])
}

/** Returns two timelines of one scenario, side by side from the first difference on. */
export function renderDivergence(
  one: { readonly name: string; readonly timeline: Timeline },
  other: { readonly name: string; readonly timeline: Timeline },
): Markup {
  const at = firstDifferentEvent(one.timeline, other.timeline)
  if (at === null) return html`<p>The drawn events are identical.</p>`
  const same = one.timeline.events.slice(0, at)
  return html`<p>${plural(at, 'event')} are the same${same.length > 0 && html`; the last of them: <b>${describe(same.slice(-1), one.timeline)}</b>`}.</p>
<div class="two-timelines">${[one, other].map((side, index) => renderSide(side, at, index))}</div>`
}

function renderSide(
  { name, timeline }: { readonly name: string; readonly timeline: Timeline },
  at: number,
  index: number,
): Markup {
  const event = timeline.events[at]
  const layout = layOut(timeline)
  const row = layout.rows.findIndex(({ events }: Row) => event !== undefined && events.includes(event))
  const own = { ...timeline, id: `${timeline.id}-${index}` }
  return html`<section aria-label="${name}"><h3>${name}</h3>
<p>${event === undefined ? 'Nothing more happens.' : describe([event], timeline)}</p>
${row >= 0 && html`<div class="scroll drawing" tabindex="0" role="region" aria-label="${name}, drawn" data-timeline="${own.id}">${drawTimeline(own, layout, row)}</div>`}
<details><summary>All steps of ${name}</summary>${renderSteps(own)}</details></section>`
}
