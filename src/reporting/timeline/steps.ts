import { groupBy } from '../groupBy.ts'
import { breakable, html, type Markup } from '../html/markup.ts'
import { renderExchange } from '../html/parts/exchange.ts'
import type { BalanceChange, Timeline, TimelineEvent, TimelineTransaction } from './model.ts'
import { describe, describeChange, shortHash, sinceStart, stepAnchor, transactionOf } from './words.ts'

/** Returns the list of steps; each opens to its exchange, its transactions and their balance changes. */
export function renderSteps(timeline: Timeline): Markup {
  return html`<ol class="steps">${[...groupBy(timeline.events, ({ step }) => step)].map(([path, events]) => renderStep(path, events, timeline))}</ol>`
}

function renderStep(path: string, events: readonly TimelineEvent[], timeline: Timeline): Markup {
  const [step, ...rest] = events
  if (step?.kind !== 'step') return html``
  const answers = rest.flatMap((event) => (event.kind === 'answer' ? [event] : []))
  const startMs = timeline.base.timestampS * 1000
  return html`<li><details class="step" id="${stepAnchor(timeline.id, path)}"><summary><span class="time">${sinceStart(step.atMs, startMs)}</span> <span class="step-label">${step.label}</span> ${answers.map(
    ({ status }) =>
      html`<span class="http-status ${status >= 400 ? 'tone-warn' : 'tone-good'}">${status}</span> `,
  )}</summary><div class="line-body"><p class="muted small">Step <code>${path}</code>: <code>${breakable(step.source)}</code></p>
${rest.map((event) => renderEvent(event, timeline))}</div></details></li>`
}

function renderEvent(event: TimelineEvent, timeline: Timeline): Markup {
  switch (event.kind) {
    case 'request':
      return renderExchange(event.exchange, null, null)
    case 'sent': {
      const transaction = transactionOf(event.transaction, timeline)
      return transaction === undefined ? html`` : renderTransaction(transaction)
    }
    case 'block':
      return html`<p class="small"><b>block ${event.number}</b> <code title="${event.hash}">${shortHash(event.hash)}</code> <span class="muted">at ${event.timestampS} s on <code title="${event.parent}">${shortHash(event.parent)}</code></span></p>${event.transactions.map(
        ({ hash, succeeded, changes }) =>
          html`<p class="small">${describe([{ ...event, transactions: [{ hash, succeeded, changes }] }], timeline)}</p>${renderChanges(changes)}`,
      )}`
    case 'step':
    case 'answer':
      return html``
    default:
      return html`<p class="small">${describe([event], timeline)}</p>`
  }
}

function renderTransaction({ name, hash, to, valueRaw, call, data }: TimelineTransaction): Markup {
  return html`<h5>Transaction ${name}</h5><dl class="headers"><div><dt>hash</dt><dd>${hash}</dd></div><div><dt>to</dt><dd>${to ?? 'a new contract'}</dd></div><div><dt>value</dt><dd>${valueRaw} wei</dd></div></dl>
${
  call === null
    ? data !== '0x' && html`<pre class="body" tabindex="0" aria-label="calldata"><code>${data}</code></pre>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Decoded calldata"><table class="calldata"><caption><code>${call.name}</code></caption><tbody>${call.arguments.map(
        (argument) =>
          html`<tr><th scope="row">${argument.name}</th><td><code>${argument.value}</code>${argument.meaning !== null && html`<br><span class="muted">${argument.meaning}</span>`}</td></tr>`,
      )}</tbody></table></div>`
}`
}

function renderChanges(changes: readonly BalanceChange[]): Markup {
  if (changes.length === 0) return html``
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Balance changes"><table class="balances"><caption>Balance changes</caption><thead class="sr"><tr><th scope="col">Account</th><th scope="col">Change</th><th scope="col">Base units</th></tr></thead><tbody>${changes.map(
    (change) =>
      html`<tr><th scope="row">${change.account}</th><td>${describeChange(change)}</td><td><code>${change.amountRaw}</code></td></tr>`,
  )}</tbody></table></div>`
}
