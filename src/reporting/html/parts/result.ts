import { anchor, references, requirementRef } from '../../document/references.ts'
import { type ClauseOf, caseBlocks, recordingBlocks } from '../../documents/failure.ts'
import { plural } from '../../plural.ts'
import type { ReportCase } from '../../report/model.ts'
import { inHtml, renderMark, toHtml } from '../document.ts'
import { html, type Markup } from '../markup.ts'
import { renderExchanges } from './exchange.ts'

/** Returns one result as a line of a list; its body is filled in when it is opened. */
export function renderResultLine(result: ReportCase, index: number): Markup {
  return html`<details class="line" id="${anchor('case', result.id)}" data-ending="${result.status}" data-result="${index}"><summary>${renderMark(result.status)}<code class="line-id">${result.id}</code><span class="line-title">${inHtml(result.title)}</span></summary><div class="line-body"></div></details>`
}

/** Returns everything known about one result. */
export function renderResult(result: ReportCase, baseUrl: string | null, clauseOf: ClauseOf): Markup {
  const { failure, requirements, exercised } = result
  const exchanges = failure?.exchanges ?? []
  return html`${toHtml([...caseBlocks(result, clauseOf), ...recordingBlocks(result)])}
${exchanges.length > 0 && html`<h4>${exchanges.length === 1 ? 'The exchange' : `The last ${exchanges.length} exchanges`}</h4>`}
${renderExchanges(result, baseUrl)}
<p class="evidence">${exercised > 0 && `${plural(exercised, 'observation')} · `}cites ${inHtml(references(requirements, requirementRef))}</p>`
}
