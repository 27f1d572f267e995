import { plural } from '../plural.ts'
import type { RecordingChange } from '../report/recordingChange.ts'
import { renderDivergence } from '../timeline/divergence.ts'
import type { Timeline } from '../timeline/model.ts'
import { breakable, html, type Markup } from './markup.ts'
import { renderPage } from './shell.ts'

/** One of the two recordings that a page compares. */
export interface ComparedRecording {
  /** What the page calls it, in a word: `before`, `replayed`. */
  readonly label: string
  /** Null: it is in no file. */
  readonly file: string | null
  /** The hash of the last entry, which identifies the whole recording, in lower-case hex. */
  readonly root: string
  readonly entries: number
  readonly timeline: Timeline
}

/** So many differences are printed; the page has all. */
const PRINTED_MAX = 60

/** Returns a page that compares two recordings: the first difference, all differences, money first, and both timelines from there on. */
export function renderDivergencePage(
  change: RecordingChange,
  before: ComparedRecording,
  after: ComparedRecording,
): string {
  const { first, differences } = change
  const verdict = first === null ? 'Identical' : 'Diverged'
  return renderPage({
    title: `${verdict}: ${change.before} and ${change.after} · Plumbline`,
    about: before.timeline.title,
    contents: [
      ['summary', 'First difference', null],
      ['differences', 'Differences', differences.length],
      ['timelines', 'Timelines', 2],
    ],
    isWide: true,
    main: html`<section id="summary" aria-labelledby="verdict"><h1 id="verdict" class="verdict ${first === null ? 'is-conforms' : 'is-does-not-conform'}">${verdict}</h1>
<p class="lead">${before.timeline.title !== after.timeline.title && 'They are of two scenarios. '}${leadOf(change)}</p>
${renderSides(change, before, after)}</section>
${renderDifferences(change, before, after)}
<section id="timelines" aria-labelledby="timelines-title"><h2 id="timelines-title">Both, from the first difference on</h2>
${renderDivergence({ name: before.label, timeline: before.timeline }, { name: after.label, timeline: after.timeline })}</section>`,
    data: { cases: [], baseUrl: null },
  })
}

function leadOf({ first, differences }: RecordingChange): Markup {
  if (first === null) return html`Both recordings say the same, entry by entry.`
  const money = differences.filter(({ concern }) => concern === 'money').length
  const ofMoney = money === 0 ? 'none affects money' : `${money} ${money === 1 ? 'affects' : 'affect'} money`
  return html`They differ from entry ${first.entry} on, first in <code>${breakable(first.field)}</code>. ${plural(differences.length, 'difference')} in all; ${ofMoney}.`
}

/** Returns which two files are compared, and what each says where they differ first. */
function renderSides(
  { first }: RecordingChange,
  before: ComparedRecording,
  after: ComparedRecording,
): Markup {
  const fileOf = ({ file }: ComparedRecording) => (file === null ? 'none: run just now' : breakable(file))
  const row = (name: string, one: Markup | string, other: Markup | string) =>
    html`<tr><th scope="row">${name}</th><td data-of="${before.label}">${one}</td><td data-of="${after.label}">${other}</td></tr>`
  const root = ({ root: digits }: ComparedRecording) => html`<code>${digits}</code>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="The two recordings"><table class="stacks compared"><thead><tr><td></td><th scope="col">${before.label}</th><th scope="col">${after.label}</th></tr></thead><tbody>
${row('File', fileOf(before), fileOf(after))}
${row('Scenario', before.timeline.title, after.timeline.title)}
${row('Root of the seal', root(before), root(after))}
${row('Entries', String(before.entries), String(after.entries))}
${first !== null && row('First difference', html`<b>${breakable(first.before)}</b>`, html`<b>${breakable(first.after)}</b>`)}</tbody></table></div>
${first !== null && html`<p class="muted">The entry: <code>${breakable(first.what)}</code></p>`}`
}

function renderDifferences(
  { differences }: RecordingChange,
  before: ComparedRecording,
  after: ComparedRecording,
): Markup {
  return html`<section id="differences" aria-labelledby="differences-title"><h2 id="differences-title">${plural(differences.length, 'difference')}${differences.length > 1 && ', money first'}</h2>
${
  differences.length === 0
    ? html`<p>None.</p>`
    : html`<div class="scroll tall" tabindex="0" role="region" aria-label="Differences"><table class="stacks silent-points differences"><thead><tr><th scope="col">Affects</th><th scope="col">Where</th><th scope="col">${before.label}</th><th scope="col">${after.label}</th></tr></thead><tbody>${differences.map(
        (one, index) =>
          html`<tr${index >= PRINTED_MAX && html` class="unprinted"`}><td>${one.concern === 'money' ? html`<b class="is-fail">money</b>` : one.concern}</td><th scope="row">${breakable(one.where)}</th><td data-of="${before.label}">${breakable(one.before)}</td><td data-of="${after.label}">${breakable(one.after)}</td></tr>`,
      )}</tbody></table></div>${differences.length > PRINTED_MAX && html`<p class="print-only">and ${differences.length - PRINTED_MAX} more in the page itself.</p>`}`
}</section>`
}
