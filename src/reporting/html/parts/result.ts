import { adviceOf } from '../../advice.ts'
import type { BaselineEntry } from '../../baselineFormat.ts'
import { plural } from '../../plural.ts'
import type { ReportCase } from '../../report/model.ts'
import { html, type Markup, prose } from '../markup.ts'
import { renderCopyable, renderExchange } from './exchange.ts'
import { anchor, mark } from './marks.ts'

const BLAME: Readonly<Record<NonNullable<ReportCase['blame']>, string>> = {
  target: 'The target violates a requirement.',
  harness: 'The harness failed; this is not a fault of the target.',
  chain: 'The chain or another part of the environment failed; this is not a fault of the target.',
}

const NO_ANSWER = 'The target sent no response that could be judged.'

/** Returns one result as a line of a list; its body is filled in when it is opened. */
export function renderResultLine(result: ReportCase, index: number): Markup {
  return html`<li><details class="line" id="${anchor('case', result.id)}" data-result="${index}"><summary>${mark(result.status)}<code class="line-id">${result.id}</code><span class="line-title">${prose(result.title)}</span></summary><div class="line-body"></div></details></li>`
}

/** Everything known about one result. */
export function renderResult(result: ReportCase, baseUrl: string | null): Markup {
  const { failure, blame, excuse, requirements, notes } = result
  const exchanges = failure?.exchanges ?? []
  return html`<p class="case-title">${prose(result.title)}</p>
${blame !== null && html`<p class="blame">${blame === 'target' && failure?.requirement === null ? NO_ANSWER : BLAME[blame]}</p>`}
${excuse !== null && renderExcuse(excuse)}
${failure !== null && renderFailure(failure, result)}
${renderCopyable(result.replay, 'replay command')}
${failure?.recording !== undefined && renderRecordingLink(failure.recording)}
${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li>${prose(note)}</li>`)}</ul>`}
${exchanges.length > 0 && html`<h4>${exchanges.length === 1 ? 'The exchange' : `The last ${exchanges.length} exchanges`}</h4>`}
${exchanges.map((exchange) => renderExchange(exchange, result, baseUrl))}
<p class="evidence">${result.exercised > 0 && plural(result.exercised, 'observation')}${result.exercised > 0 && ' · '}cites ${requirements.map(
    (id, index) => html`${index > 0 && ', '}<a href="#${anchor('req', id)}"><code>${id}</code></a>`,
  )}</p>`
}

/** Leads to the recording of a case, which lies next to the page. */
function renderRecordingLink(file: string): Markup {
  return html`<p class="recorded">Recorded in <a href="${encodeURI(file)}"><code>${file}</code></a>: <code>plumbline show</code> prints what happened, <code>plumbline verify</code> judges it again.</p>`
}

/** Returns why and until when the baseline excuses the end of a case. Only a link of the web is one that can be followed. */
export function renderExcuse({ reason, link, expires }: BaselineEntry): Markup {
  const shown = /^https?:/i.test(link) ? html`<a href="${link}" rel="noreferrer">${link}</a>` : html`${link}`
  return html`<p class="excuse">Excused by the baseline until ${expires}: ${reason} (${shown})</p>`
}

function renderFailure(
  failure: NonNullable<ReportCase['failure']>,
  { clause, restatements, otherClauses }: Pick<ReportCase, 'clause' | 'restatements' | 'otherClauses'>,
): Markup {
  const { others = [] } = failure
  const advice = adviceOf(failure)
  return html`${renderDifference(failure, clause, restatements)}
${advice.length > 0 && html`<pre class="message" tabindex="0" aria-label="message">${prose(advice.join('\n'))}</pre>`}
${others.length > 0 && html`<h4>Also broken by this exchange</h4>`}
${others.map((other, index) => renderDifference(other, otherClauses[index] ?? null))}`
}

function renderDifference(
  {
    requirement,
    expected,
    actual,
  }: Pick<NonNullable<ReportCase['failure']>, 'requirement' | 'expected' | 'actual'>,
  clause: string | null,
  restatements: readonly string[] = [],
): Markup {
  return html`<dl class="expected">
${requirement !== null && html`<div><dt>Clause</dt><dd><a href="#${anchor('req', requirement)}"><code>${requirement}</code></a>${clause !== null && html`<blockquote>${prose(clause)}</blockquote>`}${restatements.map((again) => html`<p>${prose(again)}</p>`)}</dd></div>`}
<div><dt>Expected</dt><dd>${prose(expected)}</dd></div>
<div><dt>Actual</dt><dd>${prose(actual)}</dd></div></dl>`
}
