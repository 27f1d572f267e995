import { SECTION_TITLES } from '../../spec/requirements/sections.ts'
import { plural } from '../plural.ts'
import { type History, type HistoryChange, type HistoryRow, isEventful } from '../report/history.ts'
import { html, type Markup, prose } from './markup.ts'
import { dateOf, signOf, TONES, wordOf } from './parts/marks.ts'
import { renderPage } from './shell.ts'

type Run = History['runs'][number]

/** A page with the requirements over several runs: what broke when, what was fixed when, and every verdict. */
export function renderHistoryPage(history: History): string {
  const { runs, rows, changes } = history
  const newest = runs.at(-1)
  const eventful = rows.filter(isEventful)
  const { verdict, headline } = newest ?? { verdict: 'inconclusive', headline: 'Inconclusive' }
  const eventfulRuns = changes.filter(isChange).length
  return renderPage({
    title: `History of ${plural(runs.length, 'run')}: ${headline.toLowerCase()} · Plumbline`,
    about: `history of ${plural(runs.length, 'run')}`,
    contents: [
      ['summary', 'Summary', null],
      ['changes', 'Changes', eventfulRuns],
      ['changed', 'Changed or violated', eventful.length],
      ['all', 'All requirements', rows.length],
    ],
    main: html`<section id="summary" aria-labelledby="verdict"><h1 id="verdict" class="verdict is-${verdict}">${headline}</h1>
<p class="lead">${sentenceOf(history)}</p>${renderRuns(runs)}</section>
<section id="changes" aria-labelledby="changes-title"><h2 id="changes-title">What broke and what was fixed</h2>
${eventfulRuns === 0 && html`<p>Nothing: every run decided the same.</p>`}${runs.map((run, index) => renderChange(run, changes[index], index === 0)).reverse()}</section>
<section id="changed" aria-labelledby="changed-title"><h2 id="changed-title">Changed or violated</h2>
${eventful.length === 0 ? html`<p>None.</p>` : renderMatrix('Changed or violated', eventful, runs)}</section>
<section id="all" aria-labelledby="all-title"><h2 id="all-title">All requirements</h2>${sectionsOf(rows).map(
      ([section, own]) =>
        html`<details class="gap"><summary><b>§${section} ${SECTION_TITLES[section] ?? ''}</b> <span class="muted">${plural(own.length, 'requirement')}</span></summary>${renderMatrix(`§${section}`, own, runs)}</details>`,
    )}</section>`,
    data: { cases: [], baseUrl: null },
  })
}

function sentenceOf({ runs, rows }: History): string {
  const newest = runs.at(-1)
  if (newest === undefined) return 'No run was given.'
  const count = (index: number, wanted: string) =>
    rows.filter(({ verdicts }) => verdicts.at(index) === wanted).length
  const compared =
    runs.length > 1 ? ` The first run found ${count(0, 'fail')} violated, and ${count(0, 'pass')} held.` : ''
  return `The newest of ${plural(runs.length, 'run')}, ${labelOf(newest)}: ${plural(count(-1, 'fail'), 'requirement')} violated, ${count(-1, 'pass')} held, ${count(-1, 'inconclusive')} inconclusive.${compared}`
}

function labelOf({ endedAt, name }: Run): string {
  return endedAt === null ? name : dateOf(endedAt)
}

function renderRuns(runs: readonly Run[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Runs"><table><thead><tr><th scope="col">Run</th><th scope="col">Date</th><th scope="col">Verdict</th><th scope="col">Target</th><th scope="col">Profile</th><th scope="col">Seed</th><th scope="col">Plumbline</th><th scope="col">Specification</th></tr></thead><tbody>${runs.map(
    (run, index) => {
      const before = runs[index - 1]?.specification?.sha256
      const { specification } = run
      const isOther = before !== undefined && specification !== null && specification.sha256 !== before
      return html`<tr><th scope="row">${index + 1}. <code>${run.name}</code></th><td>${run.endedAt === null ? 'not recorded' : dateOf(run.endedAt)}</td><td class="${TONES[run.verdict]}">${run.headline}</td><td>${run.target}</td><td>${run.profile}</td><td>${run.seed}</td><td>${run.version ?? 'unknown'}</td><td>${specification === null ? 'unknown' : `${specification.version}, ${specification.sha256.slice(0, 12)}…`}${isOther && html` <b>other text</b>`}</td></tr>`
    },
  )}</tbody></table></div>`
}

function isChange(change: HistoryChange): boolean {
  return change.broke.length + change.fixed.length + change.lost.length > 0
}

function renderChange(run: Run, change: HistoryChange | undefined, isFirst: boolean): Markup | null {
  if (change === undefined || !isChange(change)) return null
  const lists = [
    [isFirst ? 'Violated' : 'Broke', change.broke],
    ['Fixed', change.fixed],
    ['No longer decided', change.lost],
  ] as const
  return html`<h3>${labelOf(run)} <span class="muted">${run.name}${isFirst && ', the first run'}</span></h3><dl class="changes">${lists.map(
    ([name, ids]) =>
      ids.length > 0 &&
      html`<div><dt>${name} <b>${ids.length}</b></dt><dd><ul class="ids">${ids.map((id) => html`<li><code>${id}</code></li>`)}</ul></dd></div>`,
  )}</dl>`
}

function renderMatrix(label: string, rows: readonly HistoryRow[], runs: readonly Run[]): Markup {
  const labels = runs.map(labelOf)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="history"><thead><tr><th scope="col">Requirement</th>${runs.map(
    (run, index) =>
      html`<th scope="col" title="${run.name}">${index + 1}<span class="history-day">${run.endedAt === null ? '' : run.endedAt.slice(5, 10)}</span></th>`,
  )}</tr></thead><tbody>${rows.map(
    ({ id, statement, verdicts }) =>
      html`<tr><th scope="row"><code>${id}</code>${statement === null ? html` <span class="muted">not in this version</span>` : html`<span class="history-statement">${prose(statement)}</span>`}</th>${verdicts.map(
        (verdict, index) =>
          html`<td class="history-cell is-${verdict}" title="${labels[index] ?? ''}: ${wordOf(verdict)}"><span aria-hidden="true">${signOf(verdict)}</span><span class="sr">${wordOf(verdict)}</span></td>`,
      )}</tr>`,
  )}</tbody></table></div>`
}

function sectionsOf(rows: readonly HistoryRow[]): readonly (readonly [string, readonly HistoryRow[]])[] {
  const sections = [...new Set(rows.map(({ section }) => section))]
  return sections.map((section) => [section, rows.filter((row) => row.section === section)] as const)
}
