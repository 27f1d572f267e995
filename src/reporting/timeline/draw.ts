import { html, type Markup } from '../html/markup.ts'
import { drawChain } from './drawChain.ts'
import { drawDepths, drawTracks, drawWindows } from './drawSpans.ts'
import { columnsFor, cross, type Geometry, HEAD_PX, ROW_PX } from './geometry.ts'
import type { Layout } from './layout.ts'
import type { Timeline, TimelineEvent } from './model.ts'
import type { Row } from './rows.ts'
import { BRIEF_NAMES, describe, sinceStart } from './words.ts'

/**
 * Returns a timeline as SVG: time runs downwards, with a lane each for client, service, store and chain. The chain is a
 * separate drawing between two others, so that it stays in view when the rest is scrolled.
 *
 * @param fromRow rows above it are omitted, and the row itself is marked. Null: everything is drawn.
 */
export function drawTimeline(timeline: Timeline, layout: Layout, fromRow: number | null = null): Markup {
  const geometry = columnsFor(layout, fromRow ?? 0)
  const drawing = { geometry, fromRow }
  const { lanes, branches, chain, width } = geometry
  const [left, right] = [
    { from: 0, to: chain.left },
    { from: chain.right, to: width },
  ]
  return html`<div class="drawn" role="img" style="--print-zoom: ${printZoom(geometry)}" aria-label="${timeline.title}: drawing of the events. The list of steps has the same information as text.">
${drawPart(drawing, left, 'timeline', [
  drawLanes(geometry),
  ...layout.rows.map((row, index) => drawRow(row, index, timeline, geometry)),
  drawNames(geometry, [
    ['client', lanes.client, 18],
    ['service', lanes.service, 18],
    ['store', lanes.store, 18],
  ]),
])}
${drawPart(drawing, { from: chain.left, to: chain.right }, 'timeline-chain timeline', [
  ...drawGrounds(layout, geometry),
  drawChain(timeline, layout, geometry),
  drawNames(geometry, [['chain', branches[0] ?? 0, 18]]),
])}
${drawPart(drawing, right, 'timeline-right timeline', [
  ...drawGrounds(layout, geometry),
  drawWindows(layout, geometry),
  drawDepths(layout, geometry),
  drawTracks(layout, geometry),
  drawNames(geometry, namesRight(layout, geometry)),
])}</div>`
}

/** Returns the scale of a drawing on paper: it fits the width of A4 and Letter, and one page if it stays legible. */
function printZoom({ width, height, top }: Geometry): string {
  const fitting = Math.min(
    PAPER_PX.width / width,
    Math.max(PAPER_ZOOM.least, PAPER_PX.height / (height - top)),
  )
  return Math.min(PAPER_ZOOM.most, fitting).toFixed(3)
}

const PAPER_PX = { width: 680, height: 720 }
const PAPER_ZOOM = { least: 0.45, most: 0.7 }

interface Drawing {
  readonly geometry: Geometry
  readonly fromRow: number | null
}

/** Returns a horizontal part of the drawing. The names at the top come last, to cover what is cut off there. */
function drawPart(
  { geometry, fromRow }: Drawing,
  { from, to }: { readonly from: number; readonly to: number },
  kind: string,
  [...content]: readonly Markup[],
): Markup {
  const { height, top } = geometry
  const names = content.pop()
  const width = to - from
  return html`<svg class="${kind}" viewBox="${from} ${top} ${width} ${height - top}" width="${width}" height="${height - top}" aria-hidden="true">
${content}
${fromRow !== null && html`<rect class="differs" x="-1" y="${top + HEAD_PX}" width="${geometry.width + 2}" height="${ROW_PX}"/><rect class="above" x="0" y="${top}" width="${geometry.width}" height="${HEAD_PX}"/>`}
${names ?? ''}
</svg>`
}

function drawLanes({ lanes, height }: Geometry): Markup {
  return html`<g>${[lanes.client, lanes.service, lanes.store].map(
    (x) => html`<line class="lane" x1="${x}" y1="${HEAD_PX - 8}" x2="${x}" y2="${height}"/>`,
  )}</g>`
}

type Name = readonly [name: string, x: number, y: number]

function namesRight({ tracks, windows }: Layout, geometry: Geometry): readonly Name[] {
  return [
    // Names of transactions may be long, so neighbours are placed on two lines.
    ...tracks.map(
      ({ name }, index) => [name, geometry.tracks[index] ?? 0, index % 2 === 0 ? 18 : 34] as const,
    ),
    ...(windows.length > 0 ? [['window', geometry.windows[0] ?? 0, 34] as const] : []),
  ]
}

function drawNames({ top }: Geometry, names: readonly Name[]): Markup {
  return html`<g>${names.map(
    ([name, x, y]) =>
      html`<text class="lane-name" x="${x}" y="${top + y}" text-anchor="middle">${name}</text>`,
  )}</g>`
}

/** Extra characters for labels within a step, which are not bold. */
const MORE_CHARACTERS = 2

function drawRow({ events, atMs, step }: Row, index: number, timeline: Timeline, geometry: Geometry): Markup {
  const y = geometry.y(index)
  const [event] = events
  if (event === undefined) return html``
  const words = describe(events, timeline)
  const brief = describe(events, timeline, BRIEF_NAMES)
  const first = event.kind === 'step'
  return html`<g class="row ${first ? 'row-step' : ''}" data-step="${step}">${drawGround(y, geometry.chain.left)}
${first && html`<text class="time" x="4" y="${y + 4}">${sinceStart(atMs, timeline.base.timestampS * 1000)}</text>`}
<text class="words is-${event.kind}" x="${first ? 52 : 62}" y="${y + 4}">${cut(brief, geometry.labelCharacters + (first ? 0 : MORE_CHARACTERS))}<title>${words}</title></text>
${events.length > 1 && event.kind === 'request' ? drawAlike(events, y, geometry) : drawGlyph(event, y, geometry)}</g>`
}

/** Returns clickable areas for the rows of a part without words. */
function drawGrounds({ rows }: Layout, geometry: Geometry): readonly Markup[] {
  return rows.map(
    ({ step }, index) =>
      html`<g class="row" data-step="${step}">${drawGround(geometry.y(index), geometry.width)}</g>`,
  )
}

function drawGround(y: number, width: number): Markup {
  return html`<rect class="row-ground" x="0" y="${y - ROW_PX / 2}" width="${width}" height="${ROW_PX}"/>`
}

/** Draws a row of equal exchanges as one arrow there and one back. */
function drawAlike(events: Row['events'], y: number, geometry: Geometry): Markup {
  const answer = events.find(({ kind }) => kind === 'answer')
  const [there] = events
  return html`${there !== undefined && drawGlyph(there, y - 4, geometry)}${answer !== undefined && drawGlyph(answer, y + 4, geometry)}`
}

/** Returns the arrow or symbol of an event. */
function drawGlyph(event: TimelineEvent, y: number, { lanes, chain: { left } }: Geometry): Markup {
  // The chain is a separate drawing, which starts there.
  const chain = left - 1
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
      return html`${arrow(event.fault === null ? 'rpc' : 'rpc fault', lanes.service, chain, y)}${event.fault !== null && cross(chain - 14, y)}`
    case 'store':
      return html`${arrow(event.fault ? 'rpc fault' : 'rpc', lanes.service, lanes.store, y)}${event.fault && cross(lanes.store - 12, y)}`
    case 'sent':
      return arrow('sent', lanes.client, chain, y)
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
