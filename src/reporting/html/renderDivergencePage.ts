import { plural } from '../plural.ts'
import type { RecordingChange } from '../report/recordingChange.ts'
import { renderDivergence } from '../timeline/divergence.ts'
import type { Timeline } from '../timeline/model.ts'
import { html, type Markup } from './markup.ts'
import { renderPage } from './shell.ts'

/** A page that compares two recordings: the first difference, all differences, money first, and both timelines from there on. */
export function renderDivergencePage(change: RecordingChange, before: Timeline, after: Timeline): string {
  const { first, differences } = change
  const verdict = first === null ? 'Identical' : 'Diverged'
  return renderPage({
    title: `${verdict}: ${change.before} and ${change.after} · Plumbline`,
    about: before.title,
    contents: [
      ['summary', 'First difference', null],
      ['differences', 'Differences', differences.length],
      ['timelines', 'Timelines', 2],
    ],
    main: html`<section id="summary" aria-labelledby="verdict"><h1 id="verdict" class="verdict ${first === null ? 'is-conforms' : 'is-does-not-conform'}">${verdict}</h1>
<p class="lead">${change.before} and ${change.after}</p>
${first !== null && html`<dl class="expected"><div><dt>Where</dt><dd>entry ${first.entry}, ${first.field}: ${first.what}</dd></div><div><dt>${change.before}</dt><dd>${first.before}</dd></div><div><dt>${change.after}</dt><dd>${first.after}</dd></div></dl>`}</section>
${renderDifferences(change)}
<section id="timelines" aria-labelledby="timelines-title"><h2 id="timelines-title">Both, from the first difference on</h2>
${renderDivergence({ name: change.before, timeline: before }, { name: change.after, timeline: after })}</section>`,
    data: { cases: [], baseUrl: null },
  })
}

function renderDifferences({ differences, before, after }: RecordingChange): Markup {
  return html`<section id="differences" aria-labelledby="differences-title"><h2 id="differences-title">${plural(differences.length, 'difference')}, money first</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Differences"><table class="silent-points"><thead><tr><th scope="col">Affects</th><th scope="col">Where</th><th scope="col">${before}</th><th scope="col">${after}</th></tr></thead><tbody>${differences.map(
    (one) =>
      html`<tr><td>${one.concern === 'money' ? html`<b class="is-fail">money</b>` : one.concern}</td><th scope="row">${one.where}</th><td>${one.before}</td><td>${one.after}</td></tr>`,
  )}</tbody></table></div></section>`
}
