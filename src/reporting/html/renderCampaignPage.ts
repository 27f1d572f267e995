import { headlineOf } from '../baselineText.ts'
import { plural } from '../plural.ts'
import type { CampaignView, FailureView } from '../report/campaign.ts'
import { breakable, html, type Markup, prose } from './markup.ts'
import { renderCopyable } from './parts/exchange.ts'
import { duration, mark } from './parts/marks.ts'
import { renderPage } from './shell.ts'

/** Machines that have a row of their own, and floors that are named. */
const MOST_MACHINES = 100
const MOST_FLOORS = 40

/** A part of the page, which is replaced as a whole where it changes. */
type Part = readonly [id: string, markup: Markup]

/** The page of a campaign that is watched. Its script asks the server that sent it for what changes. */
export function renderCampaignPage(view: CampaignView): string {
  return renderPage({
    title: `Campaign ${view.id} · Plumbline`,
    about: `campaign ${view.id} · ${view.what} · seeds ${view.seeds.first} to ${view.seeds.last}`,
    contents: [
      ['summary', 'Progress', null],
      ['failures', 'Failures', null],
      ['machines', 'Machines', null],
      ['coverage', 'Coverage', null],
    ],
    main: html`<p class="notice is-fail" role="alert" data-lost hidden>The connection to <code>plumbline campaign watch</code> is lost. What follows is what it last said, and goes on as soon as it responds.</p>
<div data-live>${partsOf(view).map(([id, markup]) => html`<div data-part="${id}">${markup}</div>`)}</div>`,
    data: { cases: [], baseUrl: null, live: { page: view.id } },
    isLive: true,
  })
}

/** The parts of the page, from the first to the last. */
export function partsOf(view: CampaignView): readonly Part[] {
  return [
    ['away', renderAway(view)],
    ['summary', renderSummary(view)],
    ['failures', renderFailuresHead(view)],
    ...view.failures.map((failure): Part => [`failure-${failure.fingerprint}`, renderFailure(failure)]),
    ['machines', renderMachines(view)],
    ['coverage', renderCoverage(view)],
  ]
}

function renderAway({ away }: CampaignView): Markup {
  if (away === null) return html``
  return html`<p class="notice is-fail" role="alert">The database of the campaign does not respond: ${breakable(away)}. What follows is what it last said, and goes on as soon as it responds.</p>`
}

function renderSummary(view: CampaignView): Markup {
  const { seeds, seedsPerS, leftS, machines, failures, state, verdict } = view
  const all = seeds.last - seeds.first + 1
  const percent = Math.floor((100 * seeds.done) / all)
  const isDecided = state === 'finished' || verdict === 'does-not-conform'
  const working = machines.filter(({ inHand }) => inHand > 0).length
  const facts: readonly (readonly [string, string])[] = [
    ['Seeds done', `${seeds.done.toLocaleString('en')} of ${all.toLocaleString('en')}`],
    ...(seedsPerS === null ? [] : [['Seeds a second', seedsPerS.toFixed(1)] as const]),
    ...(leftS === null ? [] : [['Time left', timeLeft(Math.ceil(leftS))] as const]),
    ['Machines at work', String(working)],
    ['Ways of failing', String(failures.length)],
  ]
  return html`<section id="summary" aria-labelledby="verdict"><h1 id="verdict" class="verdict${isDecided && ` is-${verdict}`}" data-state="${state}">${titleOf(view)}</h1>
<p class="lead">${sentenceOf(view, all)}</p>
<p class="progress"><progress max="${all}" value="${seeds.done}" aria-label="Seeds done">${percent}%</progress> <b>${percent}%</b></p>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`
}

function timeLeft(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? duration(seconds * 1_000)
    : `${Math.floor(minutes / 60).toLocaleString('en')} h ${minutes % 60} min`
}

function titleOf({ state, verdict }: CampaignView): string {
  if (state === 'finished') return headlineOf({ verdict, baseline: null })
  const so = verdict === 'does-not-conform' ? '; does not conform' : ''
  return `${state === 'stopped' ? 'Stopped' : 'Running'}${so}`
}

function sentenceOf({ state, seeds, problem, id }: CampaignView, all: number): Markup {
  if (state === 'finished')
    return html`The campaign has finished with ${plural(all, 'seed')}. This page does not change any more; <code>plumbline campaign report ${id}</code> prints the report.`
  if (state === 'stopped')
    return html`${problem === null ? 'The campaign was stopped.' : html`The campaign was stopped: ${breakable(problem)}.`} <code>plumbline campaign resume ${id}</code> lets it go on.`
  return seeds.done === all
    ? html`All seeds are done, and what failed is being shrunk.`
    : html`${plural(all - seeds.done, 'seed')} left.`
}

function renderFailuresHead({ failures }: CampaignView): Markup {
  return html`<h2 id="failures">Failures</h2>${failures.length === 0 && html`<p>None so far.</p>`}`
}

function renderFailure({
  fingerprint,
  status,
  seed,
  seeds,
  message,
  path,
  replay,
  shrunk,
}: FailureView): Markup {
  const [headline = ''] = message.split('\n', 1)
  const at = path === null ? '' : `, step ${path}`
  return html`<details class="failure is-${status}" open><summary>${mark(status)}<code class="line-id">${fingerprint}</code><span class="line-title">${prose(headline)}</span></summary>
<div class="line-body"><p>In ${plural(seeds, 'seed')}, first ${seed}${at}: ${breakable(message)}</p>
${renderCopyable(replay, 'command that runs it again')}${status === 'fail' && renderShrunk(shrunk)}</div></details>`
}

function renderShrunk(shrunk: FailureView['shrunk']): Markup {
  if (shrunk === null) return html`<p class="muted small">Not shrunk yet.</p>`
  if ('problem' in shrunk) return html`<p class="muted small">Not shrunk: ${breakable(shrunk.problem)}</p>`
  return html`<p>Shrunk to ${plural(shrunk.steps.length, 'step')}:</p><pre tabindex="0" aria-label="smallest case"><code>${shrunk.steps.join('\n')}</code></pre>`
}

function renderMachines({ machines }: CampaignView): Markup {
  const shown = machines.slice(0, MOST_MACHINES)
  const left = machines.length - shown.length
  const body =
    machines.length === 0
      ? html`<p>None has worked on it yet. <code>plumbline campaign work</code> joins from any machine.</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="What each machine did"><table class="figures"><thead><tr><th scope="col">Machine</th><th scope="col">In hand</th><th scope="col">Ranges</th><th scope="col">Seeds</th></tr></thead><tbody>${shown.map(
          ({ machine, inHand, ranges, seeds }) =>
            html`<tr><th scope="row">${machine}</th><td class="${inHand === 0 && 'zero'}">${inHand}</td><td>${ranges}</td><td>${seeds.toLocaleString('en')}</td></tr>`,
        )}</tbody></table></div>${left > 0 && html`<p class="muted">and ${left} more.</p>`}`
  return html`<section><h2 id="machines">Machines</h2>${body}</section>`
}

function renderCoverage({ coverage: { states, floors } }: CampaignView): Markup {
  const missed = floors.filter(({ floor, met }) => met < floor)
  const reached =
    floors.length > 0 && html` ${floors.length - missed.length} of ${plural(floors.length, 'floor')} reached.`
  const rows = missed.slice(0, MOST_FLOORS)
  const left = missed.length - rows.length
  return html`<section><h2 id="coverage">Coverage</h2><p>${plural(states, 'state')} met.${reached}</p>${
    missed.length > 0 &&
    html`<div class="scroll" tabindex="0" role="region" aria-label="Floors that are not reached yet"><table class="figures"><thead><tr><th scope="col">Below its floor</th><th scope="col">Met</th><th scope="col">Floor</th></tr></thead><tbody>${rows.map(
      ({ label, floor, met }) => html`<tr><th scope="row">${label}</th><td>${met}</td><td>${floor}</td></tr>`,
    )}</tbody></table></div>${left > 0 && html`<p class="muted">and ${left} more.</p>`}`
  }</section>`
}
