import { type Block, code, details, list, paragraph, section, strong, table } from '../document/model.ts'
import { judgedInWords, RECORDING_TONES, recordedViolation, verdictTable } from '../documents/recording.ts'
import { plural } from '../plural.ts'
import {
  drawnFacts,
  explainRecording,
  type JudgedAnswer,
  RECORDING_HEADLINES,
  type RecordingSummary,
  runVerdictOf,
} from '../report/recordingSummary.ts'
import type { SelfCheck } from '../report/selfCheck.ts'
import type { Timeline } from '../timeline/model.ts'
import { inHtml, toHtml } from './document.ts'
import { breakable, html, type Markup } from './markup.ts'
import { classOf } from './parts/marks.ts'
import { renderOwnFile, renderSelfCheck } from './sections/selfCheck.ts'
import { renderTimelines } from './sections/timelines.ts'
import { renderPage } from './shell.ts'

/** A recording to draw; `timeline` is null if the file is refused and cannot be drawn. */
export interface DrawnRecording {
  readonly path: string
  readonly summary: RecordingSummary
  readonly timeline: Timeline | null
}

/** A file that is not a whole recording of this version, and the reason. */
export interface UnreadRecording {
  readonly path: string
  readonly refused: string
}

/** From worst to best. */
const WORST_FIRST = ['refused', 'does-not-conform', 'inconclusive', 'conforms'] as const

/**
 * Returns a page about recordings alone, headed by the worst of their verdicts. It contains the recordings and a verifier, and
 * verifies them when it is opened, without network.
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
    const ending = html`<b class="${classOf(verdict)}">${RECORDING_HEADLINES[verdict]}</b>${count > 1 && html` <span class="muted small">${breakable(path)}</span>`}`
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
<p class="lead">${count === 1 && first !== undefined ? inHtml(explainRecording(first.summary)) : countVerdicts(verdicts)}</p>
${count > 1 && toHtml([overview(recordings, unread)])}
<p class="muted">A recording is judged by itself, without the run, the service or the chain that it is of. Compare the root with one that its author cannot change: a seal is not a signature.</p>
${renderOwnFile(selfCheck.licences)}</section>
<section id="recordings" aria-labelledby="recordings-title"><h2 id="recordings-title">${count === 1 ? 'The recording' : 'The recordings'}</h2>${recordings.map((each, index) => renderRecording(each, index, count === 1))}${unread.map(({ path, refused }, index) => html`<div class="recording" id="unread-${index + 1}"><h3>${breakable(path)}</h3><p><b class="${classOf('refused')}">Refused, and not drawn.</b> ${inHtml(sentenceOf(refused))}</p></div>`)}</section>
${renderTimelines(timelines)}`,
    data: { selfCheck },
  })
}

const COUNTED = {
  conforms: ['holds', 'hold'],
  'does-not-conform': ['violates requirements', 'violate requirements'],
  inconclusive: ['is inconclusive', 'are inconclusive'],
  refused: ['is refused', 'are refused'],
} as const

/** Returns `Of 6 recordings, 2 hold, 4 are refused.` */
function countVerdicts(verdicts: readonly string[]): string {
  const counted = Object.entries(COUNTED).flatMap(([verdict, [one, many]]) => {
    const count = verdicts.filter((each) => each === verdict).length
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
  })
  return `Of ${plural(verdicts.length, 'recording')}, ${counted.join(', ')}.`
}

/** Returns a table of all recordings, in the order in which they were given. */
function overview(recordings: readonly DrawnRecording[], unread: readonly UnreadRecording[]): Block {
  const row = (anchor: string, path: string, name: string, verdict: RecordingSummary['verdict']) => [
    [code(path, `#${anchor}`)],
    name,
    [strong(RECORDING_HEADLINES[verdict], RECORDING_TONES[verdict])],
  ]
  return table(
    'verdicts',
    ['file', 'scenario', 'verdict'],
    [
      ...recordings.map(({ path, summary: { name, verdict } }, index) =>
        row(`recording-${index + 1}`, path, name, verdict),
      ),
      ...unread.map(({ path }, index) => row(`unread-${index + 1}`, path, 'not known', 'refused')),
    ],
  )
}

/** Returns the reason for a refusal as a sentence. */
function sentenceOf(refused: string): string {
  return `${refused.slice(0, 1).toUpperCase()}${refused.slice(1)}.`
}

function renderRecording(
  { path, summary, timeline }: DrawnRecording,
  index: number,
  isAlone: boolean,
): Markup {
  const { verdict, counts, answers, madeBy, absent, basis } = summary
  const { name, seed, entries, counts: judged, root } = drawnFacts(summary)
  const facts: readonly (readonly [
    what: string,
    value: string,
    drawn?: keyof ReturnType<typeof drawnFacts>,
  ])[] = [
    ['File', path],
    ['Seed', seed, 'seed'],
    ['Entries', entries, 'entries'],
    ...(counts === null ? [] : [['Judged', judged, 'counts'] as const]),
    ...basis.map((line) => ['Judged', line.replace(/^judged /, '')] as const),
    ...(absent.length === 0 ? [] : [['Not recorded', absent.join(', ')] as const]),
    ...(madeBy.length === 0 ? [] : [['Made by', madeBy.join(', ')] as const]),
  ]
  const labels = new Map(
    timeline?.events.flatMap((event) => (event.kind === 'request' ? [[event.id, event.label] as const] : [])),
  )
  return html`<div class="recording" id="recording-${index + 1}"><h3 data-drawn="name">${name}</h3>
${!isAlone && html`<p><b class="${classOf(verdict)}">${RECORDING_HEADLINES[verdict]}.</b> ${inHtml(explainRecording(summary))}</p>`}
<dl class="facts">${facts.map(([what, value, drawn]) => html`<div><dt>${what}</dt><dd${drawn !== undefined && html` data-drawn="${drawn}"`}>${breakable(value)}</dd></div>`)}</dl>
<dl class="headers"><div><dt>Root of the seal</dt><dd data-drawn="root">${root}</dd></div></dl>
${renderSelfCheck(index, verdict)}
${toHtml(answers.flatMap(violations))}
${answers.length > 0 && toHtml([section('Verdicts, clause by clause', [list(answers.map((answer) => ({ blocks: [answerBlock(answer, labels)] })))])], 4)}</div>`
}

/** @param labels the label of each exchange's request, by id. */
function answerBlock(answer: JudgedAnswer, labels: ReadonlyMap<number, string>): Block {
  const { exchange } = answer
  const label = labels.get(exchange ?? -1) ?? 'an exchange'
  const name = exchange === null ? 'All reports together' : `Exchange ${exchange}, ${label}`
  return details(`${name}: ${judgedInWords(answer)}`, [verdictTable(name, answer)])
}

/** Returns the violations of a response, each with its exchange. */
function violations({ exchange, failures }: JudgedAnswer): readonly Block[] {
  const of = exchange === null ? 'of all reports together' : `of the answer to exchange ${exchange}`
  return failures.flatMap((failure) => [
    paragraph(strong(`violation ${of}`, 'bad')),
    recordedViolation(failure),
  ])
}
