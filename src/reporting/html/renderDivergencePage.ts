import {
  type ComparedRecording,
  comparedTable,
  differenceList,
  firstDifference,
} from '../documents/recordingChange.ts'
import { plural } from '../plural.ts'
import type { RecordingChange } from '../report/recordingChange.ts'
import { renderDivergence } from '../timeline/divergence.ts'
import type { Timeline } from '../timeline/model.ts'
import { toHtml } from './document.ts'
import { html } from './markup.ts'
import { renderPage } from './shell.ts'

/** A recording that is compared and drawn. */
export type DrawnSide = ComparedRecording & { readonly timeline: Timeline }

/** Number of differences that are unfolded and printed; the page has all. */
const UNFOLDED = 60

/** Returns a page that compares two recordings: the first difference, all of them with money first, and both timelines. */
export function renderDivergencePage(change: RecordingChange, before: DrawnSide, after: DrawnSide): string {
  const { first, differences } = change
  const verdict = first === null ? 'Identical' : 'Diverged'
  const count = plural(differences.length, 'difference')
  return renderPage({
    title: `${verdict}: ${change.before} and ${change.after} · Plumbline`,
    about: before.scenario,
    contents: [
      ['summary', 'First difference', null],
      ['differences', 'Differences', differences.length],
      ['timelines', 'Timelines', 2],
    ],
    isWide: true,
    main: html`<section id="summary" aria-labelledby="verdict"><h1 id="verdict" class="verdict ${first === null ? 'is-conforms' : 'is-does-not-conform'}">${verdict}</h1>
${before.scenario !== after.scenario && html`<p class="lead">They are of two scenarios.</p>`}${toHtml([...firstDifference(change, true), comparedTable(before, after)])}</section>
<section id="differences" aria-labelledby="differences-title"><h2 id="differences-title">${count}${differences.length > 1 && ', money first'}</h2>${toHtml(differenceList(change, UNFOLDED, true))}</section>
<section id="timelines" aria-labelledby="timelines-title"><h2 id="timelines-title">Both, from the first difference on</h2>
${renderDivergence({ name: before.label, timeline: before.timeline }, { name: after.label, timeline: after.timeline })}</section>`,
  })
}
