import type { Exchange } from '../../../spec/exchange.ts'
import { GUILTY, isMarked } from '../../documents/failure.ts'
import { type Failed, keepCommand, obstacleToSend, type ReachableService } from '../../report/again.ts'
import { curlLine } from '../../report/curl.ts'
import { statusText } from '../../statusText.ts'
import { renderCopyable } from '../document.ts'
import { formatJson, isJson } from '../formatJson.ts'
import { html, type Markup } from '../markup.ts'
import { duration } from './marks.ts'

/** Returns the exchanges of a failed case, each with a curl command that sends its request again, or why there is none. */
export function renderExchanges(of: Failed, baseUrl: string | null): readonly Markup[] {
  const service = { baseUrl, leftBy: null }
  const kept = keepCommand(of, service) === null ? '' : KEPT
  return (of.failure?.exchanges ?? []).map((exchange) =>
    renderExchange(exchange, isMarked(exchange, of), renderCurl(exchange, of, service, kept)),
  )
}

/** Returns one request with its response and its duration. */
export function renderExchange(exchange: Exchange, isGuilty = false, curl: Markup | false = false): Markup {
  const { request, response, timing, conditions = [] } = exchange
  return html`<div class="exchange${isGuilty && ' is-guilty'}">
${isGuilty && html`<p><strong class="tone-bad">${GUILTY}</strong></p>`}${conditions.length > 0 && html`<p class="muted">set by the case: ${conditions.join('; ')}</p>`}
<p class="exchange-line"><b>${request.method}</b> <code>${request.path}</code> <span class="arrow" aria-hidden="true">→</span>
<span class="http-status ${toneOf(response.status)}">${statusText(response.status)}</span>${
    timing !== undefined && html` <span class="muted">${duration(timing.durationMs)}</span>`
  }</p>
<div class="sides"><div><h5>Request</h5>${renderHeaders(request.headers)}${
    request.body === null ? html`<p class="muted">no body</p>` : renderBody(request.body)
  }</div><div><h5>Response</h5>${renderHeaders(response.headers)}${renderBody(response.body)}</div></div>
${curl}</div>`
}

function renderCurl(exchange: Exchange, of: Failed, service: ReachableService, kept: string): Markup {
  const obstacle = obstacleToSend(exchange, of, service)
  if (obstacle !== null) return html`<p class="muted small">No curl command: ${obstacle}. ${kept}</p>`
  const { baseUrl } = service
  const key = exchange.again?.key ?? undefined
  const set = baseUrl === null ? `Set PLUMBLINE_URL to the URL of a running service. ${kept}` : KEY
  return renderCopyable(curlLine(exchange.request, baseUrl, key), 'curl command', set)
}

const KEPT =
  'Run the command of the case with --keep-running: the service stays up, and you get a file that sets the variables.'
const KEY = 'Set the variable of the key; reports contain no keys.'

/** Returns a body: JSON is indented, anything else is unchanged. */
function renderBody(body: string): Markup {
  if (body === '') return html`<p class="muted">empty body</p>`
  return html`<pre class="body" tabindex="0" aria-label="${isJson(body) ? 'JSON body' : 'body'}"><code>${formatJson(body)}</code></pre>`
}

function renderHeaders(headers: Readonly<Record<string, string>>): Markup {
  const lines = Object.entries(headers)
  if (lines.length === 0) return html``
  return html`<dl class="headers">${lines.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`
}

function toneOf(status: number): string {
  if (status === 0 || status >= 500) return 'tone-bad'
  return status >= 400 ? 'tone-warn' : 'tone-good'
}
