import { SECTION_TITLES } from '../../../spec/requirements/sections.ts'
import { list, mark, paragraph, quote, type Text } from '../../document/model.ts'
import { anchor, caseRef, references, requirementRef } from '../../document/references.ts'
import { groupBy } from '../../groupBy.ts'
import { plural } from '../../plural.ts'
import {
  countRequirements,
  type Report,
  type ReportRequirement,
  type Status,
  VERDICTS,
} from '../../report/model.ts'
import { inHtml, renderMark, toHtml } from '../document.ts'
import { html, type Markup } from '../markup.ts'
import { renderFilter } from '../parts/filter.ts'

/** Maximum number of cases listed per requirement; the search shows the others. */
const NAMED = 12

/** Returns every requirement, by section of the specification, with its verdict and evidence. */
export function renderRequirements(report: Report): Markup {
  const { requirements, cases } = report
  const status = new Map(cases.map(({ id, status }) => [id, status]))
  const sections = [...groupBy(requirements, ({ section }) => section)]
  return html`<section id="requirements" aria-labelledby="requirements-title"><h2 id="requirements-title">Requirements</h2>
${renderFilter({ name: 'requirements', choices: VERDICTS, counts: countRequirements(requirements), total: requirements.length })}
<div id="requirements-list">${sections.map(
    ([section, own]) =>
      html`<section class="spec-section"><h3>§${section} ${SECTION_TITLES[section] ?? ''}</h3>${own.map((requirement) => renderRequirement(requirement, status))}</section>`,
  )}</div></section>`
}

function renderRequirement(requirement: ReportRequirement, status: ReadonlyMap<string, Status>): Markup {
  const { id, verdict, statement, clause, level, cases, exercised, floor, classes, notes } = requirement
  const { sameAs, restatedBy } = requirement
  const covered = Object.entries(classes).map(([name, count]) => `${name} ${count}`)
  const evidence = `${LEVELS[level]} · exercised ${plural(exercised, 'time')}, floor ${floor} · ${plural(cases.length, 'case')}`
  const blocks = [
    quote(clause),
    ...(sameAs === undefined
      ? []
      : [paragraph('restates ', requirementRef(sameAs), ', and shares its evidence')]),
    ...(restatedBy.length === 0
      ? []
      : [paragraph('restated by ', ...references(restatedBy, requirementRef))]),
    paragraph(evidence),
    ...(covered.length === 0 ? [] : [paragraph(`covered: ${covered.join(', ')}`)]),
    ...(notes.length === 0 ? [] : [list(notes)]),
    ...(cases.length === 0 ? [] : [list(cases.slice(0, NAMED).map((one) => caseText(one, status.get(one))))]),
  ]
  const more = html`<p><button type="button" class="quiet" data-show-cases="${id}">Show all ${cases.length} cases</button></p>`
  return html`<details class="line" id="${anchor('req', id)}" data-ending="${verdict}"><summary>${renderMark(verdict)}<code class="line-id">${id}</code><span class="line-title">${inHtml(statement)}</span></summary>
<div class="line-body">${toHtml(blocks)}${cases.length > NAMED && more}</div></details>`
}

function caseText(id: string, ending: Status | undefined): Text {
  return ending === undefined ? [caseRef(id)] : [mark(ending), ' ', caseRef(id)]
}

const LEVELS: Readonly<Record<ReportRequirement['level'], string>> = {
  must: 'The service must',
  convention: 'The suite holds to it by convention',
  may: 'The service may',
  silent: 'The specification is silent',
  untestable: 'Not testable from outside',
}
