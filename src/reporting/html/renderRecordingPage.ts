import { plural } from '../plural.ts'
import {
  explainRecording,
  type JudgedAnswer,
  RECORDING_HEADLINES,
  type RecordingFailure,
  type RecordingSummary,
  runVerdictOf,
} from '../report/recordingSummary.ts'
import type { SelfCheck } from '../report/selfCheck.ts'
import { describeJudged } from '../timeline/asText.ts'
import type { Timeline } from '../timeline/model.ts'
import { breakable, html, type Markup, prose } from './markup.ts'
import { TONES } from './parts/marks.ts'
import { renderOwnFile, renderSelfCheck } from './sections/selfCheck.ts'
import { renderTimelines } from './sections/timelines.ts'
import { renderPage } from './shell.ts'

/** A recording to draw; `timeline` is null where the file is refused and makes no sense. */
export interface DrawnRecording {
  readonly path: string
  readonly summary: RecordingSummary
  readonly timeline: Timeline | null
}

/** A file that is no whole recording of this version, and why. */
export interface UnreadRecording {
  readonly path: string
  readonly refused: string
}

/** From worst to best. */
const WORST_FIRST = ['refused', 'does-not-conform', 'inconclusive', 'conforms'] as const

/**
 * Returns a page about recordings alone, headed by the worst of their own verdicts. It holds the recordings and a verifier, and verifies
 * them itself when it is opened, without network.
 *
 * @param selfCheck with the text of each of `recordings`, in their order.
 */
export function renderRecordingPage(
  recordings: readonly DrawnRecording[],
  unread: readonly UnreadRecording[],
  selfCheck: SelfCheck,
): string {
  const verdicts = [...recordings.map(({ summary }) => summary.verdict), ...unread.map(() => 'refused')]
  const worst = WORST_FIRST.find((wanted) => verdicts.includes(wanted)) ?? 'inconclusive'
  const [first] = recordings
  const count = recordings.length + unread.length
  const about = count === 1 ? (first?.summary.name ?? '') : plural(count, 'recording')
  const timelines = recordings.flatMap(({ path, timeline, summary: { verdict } }) => {
    if (timeline === null) return []
    const ending = html`<b class="${TONES[verdict]}">${RECORDING_HEADLINES[verdict]}</b>${count > 1 && html` <span class="muted small">${breakable(path)}</span>`}`
    return [{ timeline, ending }]
  })
  return renderPage({
    title: `${RECORDING_HEADLINES[worst]}: ${about} · Plumbline`,
    about: `${about} · verified offline`,
    contents: [
      ['summary', 'Summary', null],
      ['recordings', 'Recordings', count],
      ...(timelines.length === 0 ? [] : ([['timelines', 'Timelines', timelines.length]] as const)),
    ],
    main: html`<section id="summary" aria-labelledby="verdict"><h1 id="verdict" class="verdict is-${runVerdictOf(worst)}">${RECORDING_HEADLINES[worst]}</h1>
<p class="lead is-fail" role="alert" data-disputed hidden>One of the recordings that this page holds comes to something else now: the page or the recording was altered since it was written.</p>
<p class="lead">${count === 1 && first !== undefined ? prose(explainRecording(first.summary)) : countVerdicts(verdicts)}</p>
${count > 1 && renderOverview(recordings, unread)}
<p class="muted">A recording is judged by itself, without the run, the service or the chain that it is of. Compare the root with one that its author cannot change: a seal is not a signature.</p>
${renderOwnFile()}</section>
<section id="recordings" aria-labelledby="recordings-title"><h2 id="recordings-title">${count === 1 ? 'The recording' : 'The recordings'}</h2>${recordings.map((each, index) => renderRecording(each, index, count === 1))}${unread.map(({ path, refused }, index) => html`<div class="recording" id="unread-${index + 1}"><h3>${breakable(path)}</h3><p><b class="${TONES.refused}">Refused, and not drawn.</b> ${prose(sentenceOf(refused))}</p></div>`)}</section>
${renderTimelines(timelines)}`,
    data: { cases: [], baseUrl: null, selfCheck },
  })
}

const COUNTED = {
  conforms: ['holds', 'hold'],
  'does-not-conform': ['violates requirements', 'violate requirements'],
  inconclusive: ['is inconclusive', 'are inconclusive'],
  refused: ['is refused', 'are refused'],
} as const

/** `Of 6 recordings, 2 hold, 4 are refused.` */
function countVerdicts(verdicts: readonly string[]): string {
  const counted = Object.entries(COUNTED).flatMap(([verdict, [one, many]]) => {
    const count = verdicts.filter((each) => each === verdict).length
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  })
  return `Of ${plural(verdicts.length, 'recording')}, ${counted.join(', ')}.`
}

/** All recordings in a line each, in the order in which they were given. */
function renderOverview(recordings: readonly DrawnRecording[], unread: readonly UnreadRecording[]): Markup {
  const row = (anchor: string, path: string, name: string, verdict: RecordingSummary['verdict']) =>
    html`<tr><td class="${TONES[verdict]}">${RECORDING_HEADLINES[verdict]}</td><th scope="row"><a href="#${anchor}">${breakable(path)}</a></th><td>${name}</td></tr>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Verdicts"><table><thead><tr><th scope="col">Verdict</th><th scope="col">File</th><th scope="col">Scenario</th></tr></thead><tbody>${recordings.map(
    ({ path, summary: { name, verdict } }, index) => row(`recording-${index + 1}`, path, name, verdict),
  )}${unread.map(({ path }, index) => row(`unread-${index + 1}`, path, 'not known', 'refused'))}</tbody></table></div>`
}

/** Returns what was refused, as a sentence of its own. */
function sentenceOf(refused: string): string {
  return `${refused.slice(0, 1).toUpperCase()}${refused.slice(1)}.`
}

function renderRecording(
  { path, summary, timeline }: DrawnRecording,
  index: number,
  isAlone: boolean,
): Markup {
  const { name, seed, verdict, counts, answers, root, entries, madeBy, absent } = summary
  const facts: readonly (readonly [string, string])[] = [
    ['File', path],
    ['Seed', String(seed ?? 'unknown')],
    ['Entries', String(entries)],
    ...Object.entries(counts ?? {}).map(([what, count]) => [WORDS[what] ?? what, String(count)] as const),
    ...(absent.length === 0 ? [] : [['Not recorded', absent.join(', ')] as const]),
    ...(madeBy.length === 0 ? [] : [['Made by', madeBy.join(', ')] as const]),
  ]
  const labels = new Map(
    timeline?.events.flatMap((event) => (event.kind === 'request' ? [[event.id, event.label] as const] : [])),
  )
  return html`<div class="recording" id="recording-${index + 1}"><h3>${name}</h3>
${!isAlone && html`<p><b class="${TONES[verdict]}">${RECORDING_HEADLINES[verdict]}.</b> ${prose(explainRecording(summary))}</p>`}
<dl class="facts">${facts.map(([what, value]) => html`<div><dt>${what}</dt><dd>${breakable(value)}</dd></div>`)}</dl>
<dl class="headers"><div><dt>Root of the seal</dt><dd>${root}</dd></div></dl>
${renderSelfCheck(index, verdict)}
${answers.flatMap(({ exchange, failures }) => failures.map((failure) => renderFailure(failure, exchange)))}
${answers.length > 0 && html`<h4>Verdicts, clause by clause</h4><ol class="steps">${answers.map((answer) => renderAnswer(answer, labels))}</ol>`}</div>`
}

/** @param labels what each exchange requests, by its number. */
function renderAnswer(answer: JudgedAnswer, labels: ReadonlyMap<number, string>): Markup {
  const { exchange, verdicts } = answer
  const label = labels.get(exchange ?? -1) ?? 'an exchange'
  const name = exchange === null ? 'All reports together' : `Exchange ${exchange}, ${label}`
  return html`<li><details class="step"><summary><span class="step-label">${name}: ${describeJudged(answer)}</span></summary><div class="line-body"><div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="silent-points"><thead><tr><th scope="col">Outcome</th><th scope="col">Section</th><th scope="col">Requirement</th><th scope="col">Note</th></tr></thead><tbody>${verdicts.map(
    ({ requirement, section, outcome, note }) =>
      html`<tr><td>${outcome === 'fail' ? html`<b class="is-fail">fail</b>` : outcome}</td><td>${section === null ? '–' : `§${section}`}</td><th scope="row"><code>${requirement}</code></th><td>${note}</td></tr>`,
  )}</tbody></table></div></div></details></li>`
}

const WORDS: Readonly<Record<string, string>> = {
  exchanges: 'Exchanges',
  roundTrips: 'Round trips',
  blocks: 'Blocks',
  reports: 'Reports',
  verdicts: 'Verdicts',
  observed: 'Observed',
}

function renderFailure(
  { requirement, section, clause, expected, actual }: RecordingFailure,
  exchange: number | null,
): Markup {
  return html`<dl class="expected"><div><dt>Violated</dt><dd><code>${requirement}</code>${section !== null && ` §${section}`}, ${exchange === null ? 'by all reports together' : `by the answer to exchange ${exchange}`}${clause !== null && html`<blockquote>${prose(clause)}</blockquote>`}</dd></div>
<div><dt>Expected</dt><dd>${prose(expected)}</dd></div><div><dt>Actual</dt><dd>${prose(actual)}</dd></div></dl>`
}
