import {
  type Curve,
  exponentOf,
  type Growth,
  growthOf,
  isWorseThanLinear,
  mediansOf,
  timeOf,
} from '../../report/curves.ts'
import type { Report } from '../../report/model.ts'
import { html, type Markup } from '../markup.ts'

const WIDTH = 280
const HEIGHT = 170
/** Room for the numbers at the axes. */
const LEFT = 46
const BOTTOM = 24
const EDGE = 8
const RIGHT = 16

/** How costs grow with sizes: a chart of each, on logarithmic scales. */
export function renderCurves({ curves }: Report): Markup {
  if (curves.length === 0) return html``
  return html`<section id="curves" aria-labelledby="curves-title"><h2 id="curves-title">Cost against size</h2>
<p class="muted">Medians of the measured times, both scales logarithmic. The line is fitted to the upper two decades; the dashed one would be in proportion to the size. The exponent has its 95 % confidence interval.</p>
<div class="curves">${curves.map(renderCurve)}</div></section>`
}

function renderCurve(curve: Curve): Markup {
  const { name, size, because } = curve
  const growth = growthOf(curve)
  const worse = growth !== null && isWorseThanLinear(growth)
  const medians = mediansOf(curve)
  const text = medians.map((each) => `${each.size.toLocaleString('en')}: ${timeOf(each.ms)}`).join(', ')
  return html`<figure class="curve"><figcaption><b>${name}</b><br><span class="${worse ? 'is-fail' : 'muted'}">${exponentOf(growth)}</span>${worse && because !== null && html`<br><span class="muted">${because}</span>`}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${name}, by ${size}: ${text}">${drawCurve(medians, growth)}<text class="axis" x="${WIDTH - RIGHT}" y="${HEIGHT - BOTTOM - 5}" text-anchor="end">${size}</text></svg></figure>`
}

function drawCurve(medians: readonly Curve['samples'][number][], growth: Growth | null): Markup {
  const sizes = decadesOf(medians.map(({ size }) => size))
  const times = decadesOf(medians.map(({ ms }) => ms))
  const x = (size: number) => scale(size, sizes, LEFT, WIDTH - RIGHT)
  const y = (ms: number) => scale(ms, times, HEIGHT - BOTTOM, EDGE)
  const [first, last] = [medians[0]?.size ?? 1, medians.at(-1)?.size ?? 1]
  const line = (kind: string, from: number, at: (size: number) => number) =>
    html`<line class="${kind}" x1="${round(x(from))}" y1="${round(y(at(from)))}" x2="${round(x(last))}" y2="${round(y(at(last)))}"/>`
  return html`${sizes.map((size) => html`<line class="grid" x1="${round(x(size))}" y1="${EDGE}" x2="${round(x(size))}" y2="${HEIGHT - BOTTOM}"/><text class="axis" x="${round(x(size))}" y="${HEIGHT - 8}" text-anchor="middle">${shortOf(size)}</text>`)}
${times.map((ms) => html`<line class="grid" x1="${LEFT}" y1="${round(y(ms))}" x2="${WIDTH - RIGHT}" y2="${round(y(ms))}"/><text class="axis" x="${LEFT - 5}" y="${round(y(ms)) + 4}" text-anchor="end">${timeOf(ms)}</text>`)}
<svg x="${LEFT}" y="${EDGE}" width="${WIDTH - RIGHT - LEFT}" height="${HEIGHT - BOTTOM - EDGE}" viewBox="${LEFT} ${EDGE} ${WIDTH - RIGHT - LEFT} ${HEIGHT - BOTTOM - EDGE}" overflow="hidden">${growth !== null && html`${line('proportional', first, (size) => (growth.fitted(last) * size) / last)}${line('fitted', growth.from, growth.fitted)}`}</svg>
${medians.map(({ size, ms }) => html`<circle class="median" cx="${round(x(size))}" cy="${round(y(ms))}" r="3"/>`)}`
}

/** The powers of ten from the one below the least of the values to the one above the largest: two at least. */
function decadesOf(values: readonly number[]): readonly number[] {
  const from = Math.floor(Math.log10(Math.min(...values)))
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values))))
  return Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index))
}

function scale(value: number, decades: readonly number[], from: number, to: number): number {
  const [low, high] = [Math.log10(decades[0] ?? 1), Math.log10(decades.at(-1) ?? 10)]
  return from + ((Math.log10(value) - low) / (high - low)) * (to - from)
}

const round = (value: number) => Math.round(value * 10) / 10

/** `10k`, as the numbers at an axis are written. */
const SHORT = new Intl.NumberFormat('en', { notation: 'compact' })
const shortOf = (value: number) => SHORT.format(value)
