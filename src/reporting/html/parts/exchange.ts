import { curlLine } from '../../report/curl.ts'
import type { Exchange } from '../../results.ts'
import { formatJson, isJson } from '../formatJson.ts'
import { html, type Markup } from '../markup.ts'
import { duration } from './marks.ts'

/** One request with its response, its duration, and a curl command that sends it again. */
export function renderExchange(exchange: Exchange, baseUrl: string | null): Markup {
  const { request, response, timing } = exchange
  return html`<div class="exchange">
<p class="exchange-line"><b>${request.method}</b> <code>${request.path}</code> <span class="arrow" aria-hidden="true">→</span>
<span class="http-status ${toneOf(response.status)}">${response.status}</span>${
    timing !== undefined && html` <span class="muted">${duration(timing.durationMs)}</span>`
  }</p>
<div class="sides"><div><h5>Request</h5>${renderHeaders(request.headers)}${
    request.body === null ? html`<p class="muted">no body</p>` : renderBody(request.body)
  }</div><div><h5>Response</h5>${renderHeaders(response.headers)}${renderBody(response.body)}</div></div>
${renderCopyable(curlLine(request, baseUrl), 'curl command', baseUrl === null ? VARIABLES : KEY)}</div>`
}

const VARIABLES = 'Set PLUMBLINE_URL to the URL of the service and PLUMBLINE_KEY to the API key.'
const KEY = 'Set PLUMBLINE_KEY to the API key; reports contain no keys.'

/** Text with a button that copies it. */
export function renderCopyable(text: string, what: string, note: string | null = null): Markup {
  return html`<div class="copyable"><pre tabindex="0" aria-label="${what}"><code>${text}</code></pre><button type="button" class="copy" data-copy="${text}">Copy<span class="sr"> ${what}</span></button></div>${
    note !== null && html`<p class="muted small">${note}</p>`
  }`
}

/** A body: JSON is indented, anything else is unchanged. */
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
  if (status >= 500) return 'tone-bad'
  return status >= 400 ? 'tone-warn' : 'tone-good'
}
