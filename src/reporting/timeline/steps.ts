import type { Exchange } from '../../spec/exchange.ts'
import { groupBy } from '../groupBy.ts'
import { toHtml } from '../html/document.ts'
import { breakable, html, type Markup } from '../html/markup.ts'
import { renderExchange } from '../html/parts/exchange.ts'
import { statusText } from '../statusText.ts'
import { bodyShortener } from './drawnBodies.ts'
import { eventBlocks } from './events.ts'
import type { Timeline, TimelineEvent } from './model.ts'
import { sinceStart, stepAnchor } from './words.ts'

/** Returns the list of steps; each opens to its exchange, its transactions and their balance changes. */
export function renderSteps(timeline: Timeline): Markup {
  const steps = [...groupBy(timeline.events, ({ step }) => step)]
  const shorten = bodyShortener()
  return html`<ol class="steps">${steps.map(([path, events]) => renderStep(path, events, timeline, shorten))}</ol>`
}

function renderStep(
  path: string,
  events: readonly TimelineEvent[],
  timeline: Timeline,
  shorten: (exchange: Exchange) => Exchange,
): Markup {
  const [step, ...rest] = events
  if (step?.kind !== 'step') return html``
  const answers = rest.flatMap((event) => (event.kind === 'answer' ? [event] : []))
  const startMs = timeline.base.timestampS * 1000
  return html`<li><details class="step" id="${stepAnchor(timeline.id, path)}"><summary><span class="time">${sinceStart(step.atMs, startMs)}</span> <span class="step-label">${step.label}</span> ${answers.map(
    ({ status }) =>
      html`<span class="http-status ${status >= 400 || status === 0 ? 'tone-warn' : 'tone-good'}">${statusText(status)}</span> `,
  )}</summary><div class="line-body"><p class="muted small">Step <code>${path}</code>: <code>${breakable(step.source)}</code></p>
${rest.map((event) => (event.kind === 'request' ? renderExchange(shorten(event.exchange)) : toHtml(eventBlocks([event], timeline))))}</div></details></li>`
}
