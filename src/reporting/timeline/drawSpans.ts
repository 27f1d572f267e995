import { html, type Markup } from '../html/markup.ts'
import { cross, type Geometry } from './geometry.ts'
import type { Layout } from './layout.ts'
import { isInBlock, type Turn } from './tracks.ts'

/** Returns a line for each transaction: pending, mined, orphaned, dropped, replaced. */
export function drawTracks({ tracks, rows }: Layout, geometry: Geometry): Markup {
  return html`<g class="tracks">${tracks.map(({ hash, name, turns }, index) => {
    const x = geometry.tracks[index] ?? 0
    return html`<g class="track"><title>${name} ${hash}</title>
${turns.map((turn, at) => {
  const until = turns[at + 1]?.row ?? rows.length - 1
  const ended = turn.state === 'dropped' || turn.state === 'replaced'
  return html`${!ended && html`<line class="run is-${turn.state}" x1="${x}" y1="${geometry.y(turn.row)}" x2="${x}" y2="${geometry.y(until)}"/>`}${drawTurn(turn, x, geometry)}`
})}
${turns.map((turn) => {
  if (!isInBlock(turn)) return null
  const y = geometry.y(turn.row)
  return html`<line class="into is-${turn.state}" x1="${geometry.chain.right}" y1="${y}" x2="${x - 7}" y2="${y}"/>`
})}
${turns.map((turn) => {
  if (turn.state !== 'replaced') return null
  const other = tracks.findIndex((track) => track.hash === turn.by)
  const to = geometry.tracks[other]
  if (to === undefined) return null
  const y = geometry.y(turn.row)
  const back = to > x ? -5 : 5
  return html`<path class="replaces" d="M${x - back} ${y}H${to + 2 * back}m${back} -3.5l${-back} 3.5l${back} 3.5"/>`
})}</g>`
  })}</g>`
}

function drawTurn({ state, row }: Turn, x: number, geometry: Geometry): Markup {
  const y = geometry.y(row)
  const words = html`<text class="state is-${state}" x="${x + 9}" y="${state === 'replaced' ? y - 5 : y + 4}">${state}</text>`
  switch (state) {
    case 'pending':
    case 'mined':
    case 'reverted':
      return html`<circle class="dot is-${state}" cx="${x}" cy="${y}" r="5"/>${words}`
    default:
      return html`<g class="is-${state}">${cross(x, y)}</g>${words}`
  }
}

/** Returns the confirmations of each swap, from its block to the row in which the depth is reached or lost. */
export function drawDepths({ depths, tracks }: Layout, geometry: Geometry): Markup {
  const places = new Map(tracks.map((track, place) => [track.hash, place] as const).reverse())
  return html`<g class="depths">${depths.map(({ hash, from, to, reached, needed, broken }) => {
    const x = (geometry.tracks[places.get(hash) ?? -1] ?? 0) - 11
    const [top, bottom] = [geometry.y(from) - 5, geometry.y(to) + 5]
    const done = reached >= needed
    const words = done ? `${needed} deep` : broken ? `lost at ${reached}` : `${reached} of ${needed}`
    return html`<g class="depth ${done ? 'done' : broken ? 'lost' : ''}"><path d="M${x + 3} ${top}H${x}V${bottom}H${x + 3}"/><text x="${x - 4}" y="${bottom - 2}" text-anchor="end">${words}</text></g>`
  })}</g>`
}

/** Returns the attribution window of each build. */
export function drawWindows({ windows }: Layout, geometry: Geometry): Markup {
  return html`<g class="windows">${windows.map(({ build, from, to, ended }, index) => {
    const x = geometry.windows[index] ?? 0
    const [top, bottom] = [geometry.y(from), ended ? geometry.y(to) : geometry.height - 4]
    return html`<g class="window"><rect class="window-band ${ended ? 'ended' : ''}" x="${x - 7}" y="${top}" width="14" height="${Math.max(6, bottom - top)}" rx="3"/><text class="window-name" transform="translate(${x - 3.5} ${top + 8}) rotate(90)">${
      bottom - top > 150 && `window of ${build}`
    }<title>the attribution window of ${build}${ended ? ', which ends here' : ', which ends after the scenario'}</title></text></g>`
  })}</g>`
}
