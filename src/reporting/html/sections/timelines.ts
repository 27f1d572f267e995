import { details, preformatted } from '../../document/model.ts'
import { anchor } from '../../document/references.ts'
import type { Report } from '../../report/model.ts'
import { splitProblem } from '../../report/recordingSummary.ts'
import { drawTimeline } from '../../timeline/draw.ts'
import { layOut } from '../../timeline/layout.ts'
import type { Timeline } from '../../timeline/model.ts'
import { renderSteps } from '../../timeline/steps.ts'
import { inHtml, renderMark, toHtml } from '../document.ts'
import { html, type Markup } from '../markup.ts'

/** A timeline with its ending; null: it is not known. */
export interface JudgedTimeline {
  readonly timeline: Timeline
  readonly ending: Markup | null
}

/** Number of timelines of a run that are printed, each on about a page, so that the print view stays within ten pages. */
const PRINTED_MAX = 3

/** Returns the timelines of the run's scenarios, each with the status of its case. */
export function renderTimelinesOf({ timelines, cases }: Pick<Report, 'timelines' | 'cases'>): Markup {
  return renderTimelines(
    timelines.map((timeline) => {
      const status = cases.find(({ id }) => id === `scenario.${timeline.id}`)?.status
      return { timeline, ending: status === undefined ? null : renderMark(status) }
    }),
    PRINTED_MAX,
  )
}

/**
 * Returns timelines, the first of them open.
 *
 * @param printedMax number of timelines that are printed.
 */
export function renderTimelines(
  timelines: readonly JudgedTimeline[],
  printedMax: number = timelines.length,
): Markup {
  if (timelines.length === 0) return html``
  const left = timelines.length - printedMax
  return html`<section id="timelines" aria-labelledby="timelines-title"><h2 id="timelines-title">Timelines</h2>
<p class="muted">Time runs downwards. An orphaned branch is drawn next to the canonical chain, dashed, up to where it was orphaned. <span class="on-screen">Click a line to open its step.</span> <span class="narrow-only">The drawing is wider than this screen: scroll it sideways, or read the steps below it.</span></p>
${withOwnIds(timelines).map((each, index) => renderTimeline(each, index === 0, index < printedMax))}
${left > 0 && html`<p class="print-only">and ${left} more in the page itself.</p>`}</section>`
}

/** Makes the ids distinct: recordings of one scenario share a name, and a fragment must lead to one of them. */
function withOwnIds(timelines: readonly JudgedTimeline[]): readonly JudgedTimeline[] {
  return timelines.map((each, index) => {
    const { id } = each.timeline
    const before = timelines.slice(0, index).filter(({ timeline }) => timeline.id === id).length
    return before === 0 ? each : { ...each, timeline: { ...each.timeline, id: `${id}~${before + 1}` } }
  })
}

/** Returns the problem of a run; the last output of a service is folded. */
function renderProblem(problem: string): Markup {
  const { sentence, log } = splitProblem(problem)
  return html`<p class="blame">${inHtml(sentence)}</p>${log !== null && toHtml([details(log.title, [preformatted(log.lines)])])}`
}

/** Returns one timeline: the drawing next to the list of steps. */
function renderTimeline({ timeline, ending }: JudgedTimeline, isOpen: boolean, isPrinted: boolean): Markup {
  const { id, title, description, problem } = timeline
  return html`<details class="timeline-box" id="${anchor('timeline', id)}"${isOpen && html` open`}${isPrinted && html` data-print`}><summary><h3>${title}</h3> ${ending}</summary>
${description !== undefined && html`<p>${inHtml(description)}</p>`}${problem !== null && renderProblem(problem)}
<div class="timeline-panes"><div class="scroll drawing" tabindex="0" role="region" aria-label="${title}, drawn" data-timeline="${id}">${drawTimeline(timeline, layOut(timeline))}</div>
${renderSteps(timeline)}</div></details>`
}
