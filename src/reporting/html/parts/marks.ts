import type { Status, Verdict } from '../../report/model.ts'
import type { RecordingSummary } from '../../report/recordingSummary.ts'
import { html, type Markup } from '../markup.ts'

type Ending = Status | Verdict

/** A symbol and a word for each status, because many readers, and paper, cannot rely on colour. */
const SIGNS: Readonly<Record<Ending, string>> = {
  pass: '✓',
  fail: '✕',
  excused: '≈',
  observed: '◉',
  'not-kept': '≠',
  inconclusive: '?',
  untested: '○',
  'not-applicable': '–',
  skipped: '»',
  untestable: '⊘',
}

const WORDS: Readonly<Record<Ending, string>> = {
  pass: 'pass',
  fail: 'fail',
  excused: 'excused',
  observed: 'observed',
  'not-kept': 'not kept',
  inconclusive: 'inconclusive',
  untested: 'not tested',
  'not-applicable': 'not applicable',
  skipped: 'skipped',
  untestable: 'not testable',
}

/** The class of a verdict, which has its colour. */
export const TONES: Readonly<Record<RecordingSummary['verdict'], string>> = {
  conforms: 'is-pass',
  'does-not-conform': 'is-fail',
  inconclusive: 'is-inconclusive',
  refused: 'is-fail',
}

/** Returns the word for a status. */
export function wordOf(ending: Ending): string {
  return WORDS[ending]
}

/** Returns a status as symbol and word. */
export function mark(ending: Ending): Markup {
  return html`<span class="mark is-${ending}"><span aria-hidden="true">${SIGNS[ending]}</span> ${WORDS[ending]}</span>`
}

/** Returns a duration in readable form. */
export function duration(durationMs: number): string {
  if (durationMs < 1000) return `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`
  return `${Math.floor(durationMs / 60_000)} min ${Math.round((durationMs % 60_000) / 1000)} s`
}

/** `22 November 2026, 15:48 UTC`, from ISO 8601: the same on every machine. */
export function dateOf(iso: string): string {
  const at = new Date(iso)
  const day = at.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`
}

/** Returns a fragment for a link, from any id. */
export function anchor(kind: 'case' | 'req' | 'failure' | 'timeline', id: string): string {
  // Half a character has no encoding.
  return `${kind}-${encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'))}`
}
