import { html, type Markup } from '../html/markup.ts'
import { cross } from './cross.ts'
import { drawChain } from './drawChain.ts'
import { drawDepths, drawTracks, drawWindows } from './drawSpans.ts'
import { columnsFor, type Geometry, HEAD_PX, ROW_PX } from './geometry.ts'
import type { Layout } from './layout.ts'
import type { Timeline, TimelineEvent } from './model.ts'
import type { Row } from './rows.ts'
import { describe, sinceStart } from './words.ts'

/**
 * A timeline as SVG: time runs downwards, with a lane each for client, service, store and chain.
 *
 * @param fromRow rows above it are omitted, and the row itself is marked. Null: everything is drawn.
 */
export function drawTimeline(timeline: Timeline, layout: Layout, fromRow: number | null = null): Markup {
  const geometry = columnsFor(layout, fromRow ?? 0)
  const { width, height, top } = geometry
  const startMs = timeline.base.timestampS * 1000
  return html`<svg class="timeline" viewBox="0 ${top} ${width} ${height - top}" width="${width}" height="${height - top}" role="img" aria-label="${timeline.title}: drawing of the events. The list of steps has the same information as text.">
${drawLanes(geometry)}
${drawWindows(layout, geometry)}
${drawChain(timeline, layout, geometry)}
${drawDepths(layout, geometry)}
${drawTracks(layout, geometry)}
${layout.rows.map((row, index) => drawRow(row, index, { timeline, geometry, startMs }))}
${fromRow !== null && html`<rect class="differs" x="1" y="${top + HEAD_PX}" width="${width - 2}" height="${ROW_PX}"/><rect class="above" x="0" y="${top}" width="${width}" height="${HEAD_PX}"/>`}
${drawNames(layout, geometry)}
</svg>`
}

function drawLanes({ lanes, height }: Geometry): Markup {
  return html`<g>${[lanes.client, lanes.service, lanes.store].map(
    (x) => html`<line class="lane" x1="${x}" y1="${HEAD_PX - 8}" x2="${x}" y2="${height}"/>`,
  )}</g>`
}

function drawNames(
  { tracks, windows }: Layout,
  { lanes, branches, tracks: across, windows: bars, top }: Geometry,
): Markup {
  const names: readonly (readonly [string, number, number])[] = [
    ['client', lanes.client, 18],
    ['service', lanes.service, 18],
    ['store', lanes.store, 18],
    ['chain', branches[0] ?? 0, 18],
    // Names of transactions may be long, so neighbours are placed on two lines.
    ...tracks.map(({ name }, index) => [name, across[index] ?? 0, index % 2 === 0 ? 18 : 34] as const),
    ...(windows.length > 0 ? [['window', bars[0] ?? 0, 34] as const] : []),
  ]
  return html`<g>${names.map(
    ([name, x, y]) =>
      html`<text class="lane-name" x="${x}" y="${top + y}" text-anchor="middle">${name}</text>`,
  )}</g>`
}

interface Scene {
  readonly timeline: Timeline
  readonly geometry: Geometry
  readonly startMs: number
}

function drawRow({ events, atMs, step }: Row, index: number, { timeline, geometry, startMs }: Scene): Markup {
  const y = geometry.y(index)
  const [event] = events
  if (event === undefined) return html``
  const words = describe(events, timeline)
  const first = event.kind === 'step'
  return html`<g class="row ${first ? 'row-step' : ''}" data-step="${step}"><rect class="row-ground" x="0" y="${y - ROW_PX / 2}" width="${geometry.width}" height="${ROW_PX}"/>
${first && html`<text class="time" x="4" y="${y + 4}">${sinceStart(atMs, startMs)}</text>`}
<text class="words is-${event.kind}" x="${first ? 52 : 62}" y="${y + 4}">${cut(words, first ? 34 : 36)}<title>${words}</title></text>
${drawGlyph(event, y, geometry)}</g>`
}

/** The arrow or symbol of an event. */
function drawGlyph(event: TimelineEvent, y: number, { lanes, branches }: Geometry): Markup {
  const chain = branches[0] ?? 0
  switch (event.kind) {
    case 'request':
      return arrow('request', lanes.client, lanes.service, y)
    case 'answer':
      return arrow(
        `answer ${event.status >= 400 ? 'refused' : event.status === 202 ? 'later' : 'good'}`,
        lanes.service,
        lanes.client,
        y,
      )
    case 'rpc':
      return html`${arrow(event.fault === null ? 'rpc' : 'rpc fault', lanes.service, chain - 12, y)}${event.fault !== null && cross(chain - 26, y)}`
    case 'store':
      return html`${arrow(event.fault ? 'rpc fault' : 'rpc', lanes.service, lanes.store, y)}${event.fault && cross(lanes.store - 12, y)}`
    case 'sent':
      return arrow('sent', lanes.client, chain - 12, y)
    default:
      return html``
  }
}

function arrow(kind: string, from: number, to: number, y: number): Markup {
  const back = to < from ? 6 : -6
  return html`<path class="arrow ${kind}" d="M${from} ${y}H${to}m${back} -3.5l${-back} 3.5l${back} 3.5"/>`
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}
